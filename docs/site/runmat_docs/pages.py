"""The pages about builtins: one for each, indexes by family and alphabet, what runs where."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import attrs

from runmat_core.builtins import catalog
from runmat_core.builtins.catalog import Entry
from runmat_core.session.doctests import Example
from runmat_docs.blocks import Block, Form, Part
from runmat_docs.layout import Page, anchor, code, table, text
from runmat_docs.markdown import highlighted
from runmat_docs.support import COMPUTED, SAMPLES, Device, Support

NOTHING = '<span class="none" title="no such call was found">&ndash;</span>'


@attrs.frozen
class Builtin:
    """All there is to tell of a builtin."""

    entry: Entry
    block: Block
    support: Support

    @property
    def path(self) -> str:
        return f"builtins/{catalog.page_of(self.entry.name)}"


def builtin_page(builtin: Builtin, homes: Mapping[str, str], on: Sequence[Device]) -> Page:
    """The page of a builtin; `homes` maps every name that has a page to the file of it."""
    entry, block = builtin.entry, builtin.block
    aliases = f" <small>also {', '.join(map(code, entry.names[1:]))}</small>" * (
        len(entry.names) > 1
    )
    family = f'<a href="index.html#{anchor(entry.family)}">{html.escape(entry.family)}</a>'
    origin = html.escape(entry.package)
    pieces = [
        f"<h1>{html.escape(entry.name)}{aliases}</h1>\n",
        f'<p class="summary">{text(block.summary)}</p>\n',
        f'<p class="where">{family} &middot; {origin}</p>\n',
        *map(part, block.parts),
    ]
    if block.examples:
        pieces += ["<h2>Examples</h2>\n", *map(example, block.examples)]
    pieces += ["<h2>Facts</h2>\n", facts(builtin, on)]
    if block.related:
        related = ", ".join(
            f'<a href="{homes[name]}">{html.escape(name)}</a>' if name in homes else code(name)
            for name in block.related
        )
        pieces.append(f'<h2>See also</h2>\n<p class="related">{related}</p>\n')
    return Page(builtin.path, entry.name, "".join(pieces))


def part(found: Part) -> str:
    if found.kind == "forms":
        return "<dl class='forms'>\n" + "".join(map(form, found.forms)) + "</dl>\n"
    if found.kind == "lines":
        return f"<pre>{html.escape(found.text, quote=False)}</pre>\n"
    return f"<p>{text(found.text)}</p>\n"


def form(found: Form) -> str:
    return f"<dt>{code(found.code)}</dt><dd>{text(found.text)}</dd>\n"


def example(shown: Example) -> str:
    source = highlighted(shown.source, "matlab").rstrip("\n")
    output = html.escape(shown.expected, quote=False)
    printed = f'<pre class="output">{output}</pre>' if output else ""
    return f'<div class="example"><pre class="input">{source}</pre>{printed}</div>\n'


def facts(builtin: Builtin, on: Sequence[Device]) -> str:
    """What is known beyond the help text: counts, classes, acceleration, errors."""
    entry, block, support = builtin.entry, builtin.block, builtin.support
    least, most = block.inputs
    outputs = "any number" if block.outputs is None else str(block.outputs)
    rows = [
        ("Inputs", counted(least, most)),
        ("Outputs", outputs if block.outputs in (None, 0, 1) else f"up to {outputs}"),
    ]
    if support.calls:
        rows.append(("Takes", " ".join(map(code, support.calls))))
    means = html.escape(catalog.ACCELERATION[entry.acceleration])
    rows.append(("Large arrays", f"{code(entry.acceleration)}: {means}"))
    rows += [
        (f"In kernels of {device.name}", " ".join(map(code, support.computed[device.name])))
        for device in on
        if support.computed.get(device.name)
    ]
    if block.identifiers:
        rows.append(("Errors of its own", "<br>".join(map(code, block.identifiers))))
    lines = "".join(f"<tr><th scope='row'>{name}</th><td>{told}</td></tr>\n" for name, told in rows)
    return f'<table class="facts"><tbody>\n{lines}</tbody></table>\n'


def counted(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"


# -- indexes ---------------------------------------------------------------------------------------


def family_index(builtins: Iterable[Builtin]) -> Page:
    """All builtins, family by family."""
    ordered = sorted(builtins, key=lambda b: (b.entry.family, b.entry.name.lower()))
    families = [(name, list(group)) for name, group in groupby(ordered, lambda b: b.entry.family)]
    contents = []
    for top, group in groupby(families, lambda pair: pair[0].partition("/")[0]):
        links = " ".join(
            f'<a href="#{anchor(name)}">{html.escape(name.partition("/")[2] or name)}</a>'
            for name, _ in group
        )
        contents.append(f"<dt>{html.escape(top)}</dt><dd>{links}</dd>\n")
    pieces = ["<h1>Builtins</h1>\n", '<dl class="contents">\n', *contents, "</dl>\n"]
    for name, found in families:
        packages = sorted({b.entry.package for b in found} - {catalog.CORE})
        origin = f" <small>{html.escape(', '.join(packages))}</small>" if packages else ""
        pieces.append(f'<h2 id="{anchor(name)}">{html.escape(name)}{origin}</h2>\n')
        pieces.append(listing((b.entry.name, b.path, b.block.summary) for b in found))
    return Page("builtins/index.html", "Builtins", "".join(pieces))


def alphabet(builtins: Iterable[Builtin]) -> Page:
    """All names, aliases included, letter by letter."""
    names = [(name, b.path, b.block.summary) for b in builtins for name in b.entry.names]
    names.sort(key=lambda found: (found[0].lower(), found[0]))
    letters = [(a, list(group)) for a, group in groupby(names, lambda found: found[0][0].upper())]
    bar = " ".join(f'<a href="#letter-{letter}">{letter}</a>' for letter, _ in letters)
    pieces = [f"<h1>A to Z</h1>\n<p class='letters'>{bar}</p>\n<p>{len(names)} names.</p>\n"]
    for letter, found in letters:
        pieces.append(f'<h2 id="letter-{letter}">{letter}</h2>\n')
        pieces.append(listing(found))
    return Page("builtins/a-z.html", "A to Z", "".join(pieces))


def listing(found: Iterable[tuple[str, str, str]]) -> str:
    """Names with their first lines, on a page beside those that they lead to."""
    rows = (
        (f'<a href="{path.rpartition("/")[2]}">{html.escape(name)}</a>', text(summary))
        for name, path, summary in found
    )
    lines = "".join(f"<tr><td>{name}</td><td>{told}</td></tr>\n" for name, told in rows)
    return f'<table class="listing"><tbody>\n{lines}</tbody></table>\n'


# -- what runs where -------------------------------------------------------------------------------


def support_page(builtins: Sequence[Builtin], on: Sequence[Device]) -> Page:
    """Every builtin that is accelerated: how, on which providers, in which classes."""
    kinds = "".join(
        f"<tr><th scope='row'>{code(kind)}</th><td>{html.escape(told)}</td>"
        f"<td>{sum(b.entry.acceleration == kind for b in builtins)}</td></tr>\n"
        for kind, told in catalog.ACCELERATION.items()
    )
    measured = "".join(
        f"<li>{code(d.name)}: {html.escape(d.package)} on {html.escape(d.runs_on)}</li>" for d in on
    )
    accelerated = [b for b in builtins if b.entry.acceleration != "host"]
    pieces = [
        "<h1>What runs where</h1>\n",
        "<p>How calls on large arrays are computed, and of how many builtins that is so:</p>\n",
        f'<table class="facts"><tbody>\n{kinds}</tbody></table>\n',
        "<p>The tables were measured while these pages were made: each builtin was called with "
        f"arguments of each class ({', '.join(map(code, SAMPLES))}), with as many as it needs and "
        "with one more, and the record of the session says what computed the result. Classes that "
        f"are looked for in kernels and library calls: {', '.join(map(code, COMPUTED))}. "
        "&ndash; means that no such call was found, which is so, too, where arguments must differ, "
        "as those of <code>reshape</code> must.</p>\n",
        f"<ul>{measured}</ul>\n" if on else "<p>No provider was asked.</p>\n",
        "<h2 id='accelerated'>Accelerated builtins</h2>\n",
        table(
            ["name", "how", "takes", *(f"computed by {html.escape(d.name)}" for d in on)],
            (list(_row(b, on)) for b in accelerated),
            "support",
        ),
        "<h2 id='classes'>Classes that builtins take</h2>\n",
        table(["name", *SAMPLES], (list(_classes(b)) for b in builtins if b.support.calls), "grid"),
    ]
    return Page("support.html", "What runs where", "".join(pieces))


def _row(builtin: Builtin, on: Sequence[Device]) -> Iterator[str]:
    yield f'<a href="{builtin.path}">{html.escape(builtin.entry.name)}</a>'
    yield code(builtin.entry.acceleration)
    yield " ".join(map(code, builtin.support.calls)) or NOTHING
    for device in on:
        yield " ".join(map(code, builtin.support.computed.get(device.name, ()))) or NOTHING


def _classes(builtin: Builtin) -> Iterator[str]:
    yield f'<a href="{builtin.path}">{html.escape(builtin.entry.name)}</a>'
    for kind in SAMPLES:
        yield "yes" if kind in builtin.support.calls else ""
