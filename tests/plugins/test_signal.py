"""runmat-signal: documented examples, values by another route, forms, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests

NAMES = """
    bartlett blackman blackmanharris flattopwin gausswin hamming hann hanning kaiser rectwin triang
    tukeywin butter cheby1 cheby2 ellip filtfilt freqz medfilt1 sgolayfilt sosfilt periodogram
    pwelch spectrogram hilbert xcorr xcov upsample downsample decimate resample findpeaks
    square sawtooth chirp gauspuls rectpuls tripuls sinc
""".split()


@pytest.fixture(scope="module")
def session() -> Session:
    one = Session()
    rng = np.random.default_rng(11)
    one.workspace["x"] = rng.standard_normal((1, 300)).cumsum(axis=1)
    one.workspace["y"] = rng.standard_normal((1, 300))
    return one


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str) -> None:
    spec = registry.find(name)
    assert spec is not None
    failures = doctests.run(spec.host.__doc__ or "", Session())
    assert not failures, "\n" + "\n".join(map(str, failures))
    assert registry.package_of(name).startswith("runmat-signal ")


@pytest.mark.parametrize("count", [1, 2, 7, 8])
@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "blackmanharris"])
def test_windows(name: str, count: int, session: Session) -> None:
    for flag, sym in (("symmetric", True), ("periodic", False)):
        found = np.asarray(session.eval(f"{name}({count}, '{flag}')")).reshape(-1)
        wanted = scipy.signal.get_window(name, count, fftbins=not sym)
        np.testing.assert_allclose(found, wanted, atol=1e-15)


def test_windows_are_symmetric_columns(session: Session) -> None:
    for name in NAMES[:12]:
        w = np.asarray(session.eval(f"{name}(9)"))
        assert w.shape == (9, 1)
        assert (w == w[::-1]).all()
        assert session.eval(f"isequal(size({name}(0)), [0 1])")
    np.testing.assert_allclose(
        session.eval("kaiser(9, 4)").ravel(), scipy.signal.windows.kaiser(9, 4)
    )
    np.testing.assert_allclose(session.eval("triang(8)").ravel(), scipy.signal.windows.triang(8))
    np.testing.assert_allclose(
        session.eval("tukeywin(9, 0.4)").ravel(), scipy.signal.windows.tukey(9, 0.4)
    )


VALUES = [
    ("xcorr([1 2 3],[0 1 0.5])", "[0.5 2 3.5 3 0]"),
    ("xcorr([1;2;3])", "[3;8;14;8;3]"),
    ("xcorr([1 2 3],1)", "[8 14 8]"),
    ("xcorr([1 2 3],4)", "[0 0 3 8 14 8 3 0 0]"),
    ("xcorr([1 2 3],'biased')", "[3 8 14 8 3]/3"),
    ("xcorr([1 2 3],'unbiased')", "[3 4 14/3 4 3]"),
    ("xcorr([1 2 3],'coeff')", "[3 8 14 8 3]/14"),
    ("xcorr([1 2 3 4],[1 1])", "[0 0 1 3 5 7 4]"),  # the shorter one is continued by zeros
    ("xcorr([1i 2],[1 1i])", "[1 1i+(-2i) 2]"),
    ("size(xcorr(ones(4,2)))", "[7 4]"),
    ("xcov([1 2 3])", "[-1 0 2 0 -1]"),
    ("upsample([1;2],2,1)", "[0;1;0;2]"),
    ("downsample((1:7)',3,1)", "[2;5]"),
    ("medfilt1([1 9 2 3])", "[1 2 3 2]"),
    ("medfilt1([4 9 2 3],2)", "[2 6.5 5.5 2.5]"),
    ("medfilt1([4 9 2 3],3,'truncate')", "[6.5 4 3 2.5]"),
    ("sosfilt([1 2 1 1 0.5 0.2],[1 0 0 2])", "filter([1 2 1],[1 0.5 0.2],[1 0 0 2])"),
    ("sosfilt([2 4 2 2 1 0.4;1 0 0 1 0 0],(1:4)')", "filter([1 2 1],[1 0.5 0.2],(1:4)')"),
    ("resample(ones(1,60),1,1)", "ones(1,60)"),
    ("real(hilbert([1 5 2 0 3]))", "[1 5 2 0 3]"),
    ("abs(hilbert(cos(2*pi*(0:15)/8)))", "ones(1,16)"),
    ("freqz([1 2],[1 0.5],[0;pi])", "[2;-2]"),
    ("[h,w]=freqz(1,1,4); w", "(0:3)'*pi/4"),
    ("[h,f]=freqz(1,1,4,'whole',100); f", "[0;25;50;75]"),
]


@pytest.mark.parametrize(("code", "expected"), VALUES)
def test_values(code: str, expected: str, session: Session) -> None:
    *before, last = code.split("; ")
    session.run(";".join(before) + ";" if before else "")
    found, wanted = (np.asarray(session.eval(c)) for c in (last, expected))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "name", "args", "kind"),
    [
        ("butter(3, 0.3)", "butter", (3, 0.3), "low"),
        ("butter(2, 0.3, 'high')", "butter", (2, 0.3), "high"),
        ("butter(2, [0.2 0.5])", "butter", (2, [0.2, 0.5]), "band"),
        ("butter(2, [0.2 0.5], 'stop')", "butter", (2, [0.2, 0.5]), "bandstop"),
        ("cheby1(4, 1, 0.3)", "cheby1", (4, 1, 0.3), "low"),
        ("cheby2(4, 30, 0.3)", "cheby2", (4, 30, 0.3), "low"),
        ("ellip(3, 1, 40, 0.4)", "ellip", (3, 1, 40, 0.4), "low"),
    ],
)
def test_designs(call: str, name: str, args: Any, kind: str, session: Session) -> None:
    b, a = session.eval(call, nargout=2)
    wanted = getattr(scipy.signal, name)(*args, btype=kind)
    np.testing.assert_allclose(np.ravel(b), wanted[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.ravel(a), wanted[1], rtol=1e-9, atol=1e-12)
    z, p, k = session.eval(call, nargout=3)
    assert np.asarray(z).shape[1] == np.asarray(p).shape[1] == 1
    np.testing.assert_allclose(np.poly(np.ravel(p)), wanted[1], rtol=1e-8, atol=1e-12)
    assert k == pytest.approx(wanted[0][0])


def test_a_butterworth_filter_is_3_decibels_down_at_its_edge(session: Session) -> None:
    session.run("[b, a] = butter(5, 0.35);")
    assert session.eval("max(abs(freqz(b, a, [0.35 0.9]*pi)))") == pytest.approx(np.sqrt(0.5))
    assert session.eval("numel(butter(3, 10, 's'))") == 4


def test_filtfilt_is_two_passes_over_reflected_data(session: Session) -> None:
    b, a = scipy.signal.butter(3, 0.2)
    session.workspace["b"], session.workspace["a"] = b.reshape(1, -1), a.reshape(1, -1)
    x = np.asarray(session.eval("x")).ravel()
    reach = 3 * (max(b.size, a.size) - 1)
    long = np.concatenate([2 * x[0] - x[reach:0:-1], x, 2 * x[-1] - x[-2 : -reach - 2 : -1]])
    zi = scipy.signal.lfilter_zi(b, a)
    for _ in range(2):
        long = scipy.signal.lfilter(b, a, long, zi=zi * long[0])[0][::-1]
    np.testing.assert_allclose(
        np.ravel(session.eval("filtfilt(b, a, x)")), long[reach:-reach], rtol=1e-9
    )
    assert session.eval("isequal(size(filtfilt(b, a, [x' x'])), [300 2])")


def test_spectra(session: Session) -> None:
    y = np.ravel(session.eval("y"))
    p, f = session.eval("periodogram(y, [], 512, 10)", nargout=2)
    wanted_f, wanted = scipy.signal.periodogram(y, 10, nfft=512, detrend=False)
    np.testing.assert_allclose(np.ravel(p), wanted, rtol=1e-9)
    np.testing.assert_allclose(np.ravel(f), wanted_f)
    p, w = session.eval("pwelch(y)", nargout=2)
    length = int(300 / 4.5)
    window = scipy.signal.windows.hamming(length)
    wanted_f, wanted = scipy.signal.welch(
        y, 2 * np.pi, window, noverlap=length // 2, nfft=256, detrend=False
    )
    np.testing.assert_allclose(np.ravel(p), wanted, rtol=1e-9)
    np.testing.assert_allclose(np.ravel(w), wanted_f)
    # all power is in the density, whatever the sides and the wrapping
    for more in ("512, 10", "512, 10, 'twosided'", "301, 10, 'centered'", "64, 10"):
        p, f = session.eval(f"periodogram(y, [], {more})", nargout=2)
        width = float(np.diff(np.ravel(f))[0])
        if not more.startswith("64"):
            assert np.sum(p) * width == pytest.approx(np.mean(y**2))
        assert np.asarray(p).shape == np.asarray(f).shape
    assert session.eval("max(periodogram(cos(2*pi*(0:63)/8), [], 64, 1, 'power'))") == (
        pytest.approx(0.5)
    )


def test_spectrogram(session: Session) -> None:
    y = np.ravel(session.eval("y"))
    s, f, t, ps = session.eval("spectrogram(y, hann(64), 48, 128, 10)", nargout=4)
    assert np.asarray(s).shape == (65, 15)
    np.testing.assert_allclose(np.ravel(f), np.arange(65) * 10 / 128)
    np.testing.assert_allclose(np.ravel(t), (np.arange(15) * 16 + 32) / 10)
    window = scipy.signal.windows.hann(64)
    third = np.fft.rfft(y[32:96] * window, 128)
    np.testing.assert_allclose(np.asarray(s)[:, 2], third, rtol=1e-9)
    density = np.abs(third) ** 2 / (10 * (window**2).sum())
    density[1:-1] *= 2
    np.testing.assert_allclose(np.asarray(ps)[:, 2], density, rtol=1e-9)


def test_rates(session: Session) -> None:
    session.run("t = (0:399)'/400; s = sin(2*pi*5*t);")
    for up, down in ((3, 2), (2, 3), (5, 1), (1, 4)):
        y = np.ravel(session.eval(f"resample(s, {up}, {down})"))
        count = -(-400 * up // down)
        assert y.size == count
        wanted = np.sin(2 * np.pi * 5 * np.arange(count) * down / up / 400)
        inner = slice(count // 5, -count // 5)
        np.testing.assert_allclose(y[inner], wanted[inner], atol=5e-3)
    y = np.ravel(session.eval("decimate(s, 4)"))
    assert y.size == 100
    wanted = np.sin(2 * np.pi * 5 * (np.arange(100) * 4 + 3) / 400)
    # the last sample is kept in phase: samples 4, 8, ...
    np.testing.assert_allclose(y[20:80], wanted[20:80], atol=0.02)


PEAKS = [
    ("findpeaks([0 2 1 5 3 4 0])", "[2 5 4]"),
    ("findpeaks([1 3 3 2 3 3 4])", "3"),
    ("[~,l]=findpeaks([1 3 3 2]); l", "2"),
    ("findpeaks([0;2;1;5;3])", "[2;5]"),
    ("findpeaks([0 2 1 5 3 4 0],'MinPeakHeight',2)", "[5 4]"),
    ("findpeaks([0 2 1 5 3 4 0],'NPeaks',2,'SortStr','descend')", "[5 4]"),
    ("findpeaks([0 2 1 5 3 4 0],'MinPeakProminence',2)", "5"),
    ("findpeaks([0 2 1 5 3 4 0],'MinPeakDistance',1)", "[2 5 4]"),
    ("findpeaks([0 2 1 5 3 4 0],'MinPeakDistance',2)", "5"),
    ("findpeaks([0 2 1 5 3 4 0],'Threshold',2)", "5"),
    ("[~,l]=findpeaks([0 1 0 2 0],[10 20 30 40 50]); l", "[20 40]"),
    ("[~,l]=findpeaks([0 1 0 2 0],10); l", "[0.1 0.3]"),
    ("[~,~,w,p]=findpeaks([0 2 0 6 0]); [w p]", "[1 1 2 6]"),
    ("size(findpeaks(1:5))", "[1 0]"),
]


@pytest.mark.parametrize(("code", "expected"), PEAKS)
def test_peaks(code: str, expected: str, session: Session) -> None:
    test_values(code, expected, session)


def test_prominences_and_widths_are_those_of_scipy(session: Session) -> None:
    x = np.ravel(session.eval("x"))
    pks, locs, w, p = (np.ravel(v) for v in session.eval("findpeaks(x)", nargout=4))
    at = scipy.signal.find_peaks(x)[0]
    np.testing.assert_array_equal(locs - 1, at)
    np.testing.assert_array_equal(pks, x[at])
    np.testing.assert_allclose(p, scipy.signal.peak_prominences(x, at)[0])
    np.testing.assert_allclose(w, scipy.signal.peak_widths(x, at)[0], rtol=1e-9)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("hann(-1)", "signal:hann:invalidLength"),
        ("hann(5, 'symetrical')", "signal:hann:unknownOption"),
        ("butter(2, 1.5)", "signal:butter:freqsMustBeWithin0And1"),
        ("butter(0, 0.5)", "signal:butter:mustBeInteger"),
        ("filtfilt([1 1 1], 1, 1:3)", "signal:filtfilt:InvalidDimensionsDataShortForFiltOrder"),
        ("sosfilt([1 2 3], 1:3)", "signal:sosfilt:InvalidSOS"),
        ("xcorr(1:3, 1:4, 'biased')", "signal:xcorr:NoScale"),
        ("pwelch(1:9, 4, 4)", "signal:pwelch:NoverlapTooBig"),
        ("spectrogram(1:9, 20)", "signal:spectrogram:invalidSegmentLength"),
        ("sgolayfilt(1:9, 2, 4)", "signal:sgolayfilt:MustBeOddFrameLength"),
        ("findpeaks(1:2)", "signal:findpeaks:emptyDataSet"),
        ("findpeaks(1:5, 'MinPeakHight', 1)", "signal:findpeaks:unknownOption"),
        ("downsample(1:5, 2, 2)", "signal:downsample:Phase"),
        ("xcorr({1})", "signal:invalidInput"),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


def test_single_stays_single(session: Session) -> None:
    for call in (
        "xcorr(single([1 2]))",
        "hilbert(single([1 2 3]))",
        "medfilt1(single([1 2 3]))",
        "resample(single(1:9), 2, 1)",
        "filtfilt([1 1]/2, 1, single(1:9))",
    ):
        assert session.eval(f"class({call})") == "single", call


WAVEFORMS = [
    ("square(t)", lambda t: scipy.signal.square(t)),
    ("square(t, 30)", lambda t: scipy.signal.square(t, 0.3)),
    ("sawtooth(t)", lambda t: scipy.signal.sawtooth(t)),
    ("sawtooth(t, 0.5)", lambda t: scipy.signal.sawtooth(t, 0.5)),
    ("sawtooth(t, 0.2)", lambda t: scipy.signal.sawtooth(t, 0.2)),
    ("sawtooth(t, 0)", lambda t: scipy.signal.sawtooth(t, 0)),
    ("chirp(t)", lambda t: scipy.signal.chirp(t, 0, 1, 100)),
    ("chirp(t, 1, 2, 6)", lambda t: scipy.signal.chirp(t, 1, 2, 6)),
    ("chirp(t, 1, 2, 6, 'linear', 90)", lambda t: scipy.signal.chirp(t, 1, 2, 6, phi=90)),
    ("chirp(t, 1, 2, 6, 'quadratic')", lambda t: scipy.signal.chirp(t, 1, 2, 6, "quadratic")),
    ("chirp(t, 1, 2, 6, 'quadratic', [], 'convex')",
     lambda t: scipy.signal.chirp(t, 1, 2, 6, "quadratic", vertex_zero=False)),
    ("chirp(t, 6, 2, 1, 'q', 0, 'concave')",
     lambda t: scipy.signal.chirp(t, 6, 2, 1, "quadratic", vertex_zero=False)),
    ("chirp(t, 1, 2, 6, 'logarithmic')", lambda t: scipy.signal.chirp(t, 1, 2, 6, "logarithmic")),
    ("real(chirp(t, 1, 2, 6, 'complex'))", lambda t: scipy.signal.chirp(t, 1, 2, 6)),
    ("gauspuls(t, 3, 0.7, -4)", lambda t: scipy.signal.gausspulse(t, 3, 0.7, -4)),
    ("sinc(t)", lambda t: np.sinc(t)),
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), WAVEFORMS)
def test_waveforms(call: str, wanted: Any, session: Session) -> None:
    t = np.linspace(-7, 7, 401).reshape(1, -1)
    session.workspace["t"] = t
    np.testing.assert_allclose(session.eval(call), wanted(t), atol=1e-11)


def test_pulses_and_their_parts(session: Session) -> None:
    session.run("t = -1:0.125:1; [y, q, e] = gauspuls(t, 2, 0.5);")
    assert session.eval("max(abs(y.^2 + q.^2 - e.^2)) < 1e-15 && e(9) == 1")
    # the envelope at the time that "cutoff" gives, and bandwidth at the level that was asked for
    session.run("tc = gauspuls('cutoff', 2, 0.5, -6, -40); [~, ~, e] = gauspuls(tc, 2, 0.5, -6);")
    assert session.eval("abs(e - 0.01) < 1e-15")
    assert session.eval("tripuls([-0.5 -0.25 0 0.25 0.5])").tolist() == [[0, 0.5, 1, 0.5, 0]]
    assert session.eval("tripuls([-1 0 0.5 0.75 1], 2, 0.5)").tolist() == [[0, 2 / 3, 1, 0.5, 0]]
    assert session.eval("tripuls([0 1], 2, 1)").tolist() == [[0.5, 1]]
    assert session.eval("rectpuls([-0.2 -0.1 0 0.1], 0.2)").tolist() == [[0, 1, 1, 0]]
    assert session.eval("class(square(single(1)))") == "single"
    assert session.eval("isequal(size(sawtooth(ones(2, 3))), [2 3])")


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("square(1i)", "signal:square:mustBeReal"),
        ("square(1, 101)", "signal:square:invalidRange"),
        ("sawtooth(1, 2)", "signal:sawtooth:invalidRange"),
        ("tripuls(1, 1, 2)", "signal:tripuls:invalidRange"),
        ("chirp(1, 0, 1, 5, 'log')", "signal:chirp:InvalidRange"),
        ("chirp(1, 0, 1, 5, 'cubic')", "signal:chirp:unknownOption"),
        ("gauspuls(1, -1)", "signal:gauspuls:invalidRange"),
        ("gauspuls('cut off')", "signal:gauspuls:unknownOption"),
        ("rectpuls({1})", "signal:rectpuls:invalidInput"),
    ],
)
def test_waveforms_refuse(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier
