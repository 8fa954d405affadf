"""Random numbers: generators, seeds and states, classes and sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session, config
from runmat_core.values import to_numpy

Same = Callable[[str, str], None]
GENERATORS = ["philox", "twister"]


# -- the twister's values are MATLAB's ----------------------------------------------------------


def test_uniform_numbers_are_those_of_matlab(close: Same) -> None:
    first = "[0.814723686393179 0.905791937075619 0.126986816293506 0.913375856139019]"
    close("rng('default');;rand(1,4)", first)
    close("rng(0,'twister');;x=rand;;[x rand(1,3)]", first)
    close("rng('twister');;rand(1,4)", first)
    close("rng(1,'twister');;rand", "0.417022004702574")
    close("rng(1,'mt19937ar');;rand", "0.417022004702574")


def test_integers_are_those_of_matlab(same: Same) -> None:
    same("rng('default');;randi(10,1,5)", "[9 10 2 10 7]")
    same("rng('default');;[randi(10) randi(10)]", "[9 10]")


# -- Philox --------------------------------------------------------------------------------------


def test_philox_numbers_come_from_the_published_words(same: Same) -> None:
    # the words of key and counter zero: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
    same(
        "rng(0,'philox');;rand(1,2)",
        "(hex2dec({'e169c58d' '9b00dbd8'})' * 2^20"
        " + floor(hex2dec({'6627e8d5' 'bc57ac4c'})' / 2^12) + 0.5) * 2^-52",
    )
    same(
        "rng(0,'philox');;rand(1,3,'single')",
        "single((floor(hex2dec({'6627e8d5' 'e169c58d' 'bc57ac4c'})' / 2^9) + 0.5) * 2^-23)",
    )


def test_a_session_begins_with_philox_and_seed_0(same: Same) -> None:
    session = Session()
    session.run("s = rng; x = rand(2, 3); rng(0, 'philox'); y = rand(2, 3);")
    assert session.eval("s.Type") == "philox"
    assert session.eval("s.Seed") == 0
    assert session.eval("class(s.State)") == "uint32"
    assert (session["x"] == session["y"]).all()


def test_the_configuration_names_the_first_generator() -> None:
    session = Session(config=config.load().replace(language__rng="twister"))
    session.run("x = rand; s = rng; rng(1); t = rng;")
    assert abs(session["x"] - 0.814723686393179) < 1e-15
    assert session.eval("{s.Type, t.Type}") == ["twister", "twister"]


def test_each_session_has_its_own_stream() -> None:
    first, second = Session(), Session()
    first.run("a = rand(1,3);")
    second.run("a = rand(1,3);")
    assert (first["a"] == second["a"]).all()


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("name", ["rand", "randn"])
@pytest.mark.parametrize("cls", ["double", "single"])
def test_draws_add_up(same: Same, generator: str, name: str, cls: str) -> None:
    seed = f"rng(3,'{generator}')"
    whole = f"{seed};;{name}(10,1,'{cls}')"
    same(f"{seed};;[{name}(5,1,'{cls}');{name}(5,1,'{cls}')]", whole)
    same(f"{seed};;[{name}(1,'{cls}');{name}(9,1,'{cls}')]", whole)
    same(f"{seed};;reshape({name}(2,5,'{cls}'),10,1)", whole)


@pytest.mark.parametrize("generator", GENERATORS)
def test_single_numbers_are_those_of_arrays(same: Same, generator: str) -> None:
    seed = f"rng(3,'{generator}')"
    for name in ("rand", "randn"):
        same(f"{seed};;[{name} {name};{name} {name}]", f"{seed};;{name}(2,2).'")
    same(f"{seed};;[randi(7) randi(7) randi(7)]", f"{seed};;randi(7,1,3)")


# -- rng -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_saved_state_is_gone_back_to(same: Same, generator: str) -> None:
    seed = f"rng(5,'{generator}')"
    same(f"{seed};;rand(1,3);;s=rng;;a=rand(1,4);;rng(s);;isequal(a,rand(1,4))", "true")
    same(f"{seed};;rand(1,3,'single');;s=rng;;a=randn;;rng('default');;rng(s);;a==randn", "true")
    same(f"{seed};;s=rng;;rng(1,'twister');;t=rng(s);;{{rng().Type t.Type}}",
         f"{{'{generator}' 'twister'}}")  # fmt: skip


def test_a_seed_keeps_the_generator_and_names_change_it(same: Same) -> None:
    same("rng(1,'philox');;rng(2);;s=rng;;{s.Type s.Seed}", "{'philox' 2}")
    same("rng(1,'twister');;rng(2);;s=rng;;{s.Type s.Seed}", "{'twister' 2}")
    same('rng(1,"Philox");;s=rng;;s.Type', "'philox'")
    same("rng(7,'twister');;rng('philox');;s=rng;;{s.Type s.Seed}", "{'philox' 0}")
    same("rng(7,'philox');;rng('default');;s=rng;;{s.Type s.Seed}", "{'twister' 0}")
    same("rng(2,'philox');;a=rand;;rng(int8(2));;a==rand", "true")
    same("rng(1,'philox');;a=rand;;rng(2);;a==rand", "false")
    same("rng(1);;size(rng(2).State)", "[7 1]")


def test_shuffle_takes_a_seed_from_the_clock(same: Same) -> None:
    same("rng(1,'philox');;rng('shuffle');;s=rng;;{s.Type s.Seed > 1}", "{'philox' true}")
    same("rng(1,'philox');;rng('shuffle','twister');;s=rng;;s.Type", "'twister'")


FAULTS = [
    ("rng(-1)", "MATLAB:rng:badSeed"),
    ("rng(1.5)", "MATLAB:rng:badSeed"),
    ("rng(2^32)", "MATLAB:rng:badSeed"),
    ("rng(NaN)", "MATLAB:rng:badSeed"),
    ("rng(1i)", "MATLAB:rng:badSeed"),
    ("rng([1 2])", "MATLAB:rng:badFirstOpt"),
    ("rng(true)", "MATLAB:rng:badFirstOpt"),
    ("rng('nonsense')", "MATLAB:rng:badFirstOpt"),
    ("rng({1})", "MATLAB:rng:badFirstOpt"),
    ("rng(1, 2)", "MATLAB:rng:badSecondOpt"),
    ("rng(1, 'nonsense')", "MATLAB:rng:unknownRNGType"),
    ("rng(1, 'threefry')", "MATLAB:rng:unknownRNGType"),
    ("rng('threefry')", "MATLAB:rng:unknownRNGType"),
    ("rng('default', 'twister')", "MATLAB:rng:maxrhs"),
    ("rng('philox', 'twister')", "MATLAB:rng:maxrhs"),
    ("rng(rng, 'philox')", "MATLAB:rng:maxrhs"),
    ("rng(struct('a', 1))", "MATLAB:rng:badSettings"),
    ("s = rng; s.Type = 'twister'; rng(s)", "MATLAB:rng:badSettings"),
    ("s = rng; s.Type = 1; rng(s)", "MATLAB:rng:badSettings"),
    ("s = rng; s.Seed = -1; rng(s)", "MATLAB:rng:badSettings"),
    ("s = rng; s.State = s.State(1:3); rng(s)", "MATLAB:rng:badSettings"),
    ("s = rng; s.State = double(s.State) + 0.5; rng(s)", "MATLAB:rng:badSettings"),
    ("s = rng; rng([s s])", "MATLAB:rng:badSettings"),
    ("rand('state', [1 2 3])", "MATLAB:rand:badState"),
    ("rand('seed', NaN)", "MATLAB:rand:badState"),
    ("rand(2, 'int8')", "MATLAB:rand:invalidInputClass"),
    ("randi(0)", "MATLAB:randi:invalidLimits"),
    ("randi(1.5)", "MATLAB:randi:invalidLimits"),
    ("randi([3 2])", "MATLAB:randi:invalidLimits"),
    ("randi(NaN)", "MATLAB:randi:invalidLimits"),
    ("randi(2^60)", "MATLAB:randi:invalidLimits"),
    ("randi([-2^53 2^53])", "MATLAB:randi:invalidLimits"),
    ("randi(300, 1, 'uint8')", "MATLAB:randi:invalidLimits"),
    ("randi([-1 5], 2, 2, 'uint8')", "MATLAB:randi:invalidLimits"),
    ("randi(2^25, 1, 'single')", "MATLAB:randi:invalidLimits"),
    ("randperm(3, 4)", "MATLAB:randperm:inputKTooLarge"),
]


@pytest.mark.parametrize(("code", "identifier"), FAULTS)
def test_faults(session: Session, code: str, identifier: str) -> None:
    session.run("rng(1, 'philox'); rand; before = rng;")
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
    assert session.eval("isequal(before, rng)"), "a fault leaves the stream as it was"


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_ways_from_before_rng(same: Same, generator: str) -> None:
    seed = f"rng(5,'{generator}')"
    same(f"{seed};;S=rand('state');;a=rand(2);;rand('state',S);;isequal(a,rand(2))", "true")
    same(f"{seed};;rand('twister',1);;s=rng;;{{s.Type rand}}", "{'twister' 0.417022004702574}")
    same(f"{seed};;rand('state',7);;a=rand;;randn('seed',7);;a==rand", "true")


# -- classes, sizes, ranges ---------------------------------------------------------------------


@pytest.mark.parametrize("generator", GENERATORS)
def test_classes_and_sizes(same: Same, generator: str) -> None:
    seed = f"rng(5,'{generator}')"
    for name in ("rand", "randn"):
        same(f"{seed};;size({name}(2,3,4))", "[2 3 4]")
        same(f"{seed};;size({name}([3 2]))", "[3 2]")
        same(f"{seed};;size({name}(0,3))", "[0 3]")
        same(f"{seed};;size({name}(-1))", "[0 0]")
        same(f"{seed};;class({name}('single'))", "'single'")
        same(f"{seed};;class({name}(2,'like',single(1)))", "'single'")
        same(f"{seed};;x={name}(2,2,'like',single(1i));;{{class(x) isreal(x)}}", "{'single' false}")
        same(f"{seed};;x={name}(2,'like',1i);;isequal(size(x),[2 2]) && ~isreal(x)", "true")


@pytest.mark.parametrize("generator", GENERATORS)
def test_integers_and_permutations(same: Same, generator: str) -> None:
    seed = f"rng(5,'{generator}')"
    same(f"{seed};;unique(randi([-3 5],1,1000))", "-3:5")
    same(f"{seed};;unique(randi(intmax('int8'),1,9000,'int8'))", "int8(1:127)")
    same(f"{seed};;class(randi(5,'int8'))", "'int8'")
    same(f"{seed};;class(randi(5,2,'like',single(1)))", "'single'")
    same(f"{seed};;x=randi(2^53);;x==floor(x) && x<=2^53", "true")
    same(f"{seed};;sort(randperm(6))", "1:6")
    same(f"{seed};;size(randperm(6,2))", "[1 2]")
    same(f"{seed};;sort(randsample(3,3))'", "1:3")


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("cls", ["double", "single"])
def test_moments(session: Session, generator: str, cls: str) -> None:
    def drawn(code: str) -> np.ndarray:
        session.run(f"rng(2, '{generator}'); x = {code};")
        return to_numpy(session.interp.base().get("x")).astype(np.complex128)

    u = drawn(f"rand(1, 1e5, '{cls}')").real
    assert 0 < u.min() < u.max() < 1
    assert abs(u.mean() - 0.5) < 0.004
    x = drawn(f"randn(1, 1e5, '{cls}')").real
    assert abs(x.mean()) < 0.01
    assert abs(x.std() - 1) < 0.01
    assert abs((np.abs(x) < 1.959964).mean() - 0.95) < 0.005
    z = drawn(f"randn(1, 1e5, 'like', {cls}(1i))")
    assert abs(np.abs(z * z.conj()).mean() - 1) < 0.02
    assert abs((z * z).mean()) < 0.02
