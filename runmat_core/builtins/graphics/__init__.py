"""What graphics is made of, as data: colour maps, surfaces, contours, views. Nothing is drawn."""
