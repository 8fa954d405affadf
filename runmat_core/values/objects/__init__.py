"""Objects of classes that programs define with ``classdef``."""
