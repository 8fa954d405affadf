"""runmat-stats: documented examples, values beside scipy.stats, forms, draws, errors."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np
import pytest
import scipy.stats

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests

MODULES = (
    "describe",
    "tables",
    "distributions",
    "samples",
    "discrete",
    "draws",
    "distances",
    "clusters",
    "multivariate",
    "neighbors",
    "searchers",
    "groups",
)
NAMES = [
    function.__runmat_builtin__.name
    for module in MODULES
    for _, function in inspect.getmembers(importlib.import_module(f"runmat_stats.{module}"))
    if getattr(function, "__module__", "") == f"runmat_stats.{module}"
    and hasattr(function, "__runmat_builtin__")
]


@pytest.fixture(scope="module")
def session() -> Session:
    one = Session()
    rng = np.random.default_rng(5)
    one.workspace["X"] = rng.standard_normal((12, 4))
    one.workspace["Y"] = rng.standard_normal((7, 4))
    return one


def test_there_are_examples_for_all() -> None:
    assert len(NAMES) > 50


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str) -> None:
    spec = registry.find(name)
    assert spec is not None
    assert doctests.collect(spec.host.__doc__ or "")
    failures = doctests.run(spec.host.__doc__ or "", Session())
    assert not failures, "\n" + "\n".join(map(str, failures))
    assert registry.package_of(name).startswith("runmat-stats ")


DISTRIBUTIONS = {
    "unif": (scipy.stats.uniform(1, 2), "1, 3"),
    "exp": (scipy.stats.expon(scale=2.5), "2.5"),
    "gam": (scipy.stats.gamma(2.5, scale=1.5), "2.5, 1.5"),
    "beta": (scipy.stats.beta(2, 0.5), "2, 0.5"),
    "t": (scipy.stats.t(4.5), "4.5"),
    "chi2": (scipy.stats.chi2(3), "3"),
    "f": (scipy.stats.f(3, 8), "3, 8"),
    "logn": (scipy.stats.lognorm(0.7, scale=np.exp(0.3)), "0.3, 0.7"),
}
POINTS = np.array([[-1.0, 0.0, 0.1, 0.5, 0.9, 1.7, 4.0, np.nan]])
LEVELS = np.array([[0.0, 1e-9, 0.1, 0.5, 0.975, 1.0]])


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_distributions(name: str, session: Session) -> None:
    known, parameters = DISTRIBUTIONS[name]
    session.workspace["x"], session.workspace["p"] = POINTS, LEVELS
    for call, wanted in (
        (f"{name}pdf(x, {parameters})", known.pdf(POINTS)),
        (f"{name}cdf(x, {parameters})", known.cdf(POINTS)),
        (f"{name}inv(p, {parameters})", known.ppf(LEVELS)),
    ):
        np.testing.assert_allclose(session.eval(call), wanted, rtol=1e-10, atol=1e-14, err_msg=call)
    bad = ", ".join("-1" for _ in parameters.split(","))
    if name not in {"unif"}:
        assert np.isnan(session.eval(f"{name}pdf(0.5, {bad})"))
    assert np.isnan(session.eval(f"{name}inv(1.5, {parameters})"))
    assert session.eval(f"class({name}cdf(single(0.5), {parameters}))") == "single"


def test_discrete_distributions(session: Session) -> None:
    session.workspace["k"] = np.arange(-1.0, 12).reshape(1, -1)
    session.workspace["p"] = np.linspace(0, 1, 41).reshape(1, -1)
    k, p = np.arange(-1.0, 12), np.linspace(0, 1, 41)
    for name, parameters, known in (
        ("bino", "10, 0.3", scipy.stats.binom(10, 0.3)),
        ("poiss", "3.5", scipy.stats.poisson(3.5)),
    ):
        np.testing.assert_allclose(
            np.ravel(session.eval(f"{name}pdf(k, {parameters})")), known.pmf(k), rtol=1e-11
        )
        np.testing.assert_allclose(
            np.ravel(session.eval(f"{name}cdf(k, {parameters})")), known.cdf(k), rtol=1e-11
        )
        found = np.ravel(session.eval(f"{name}inv(p, {parameters})"))
        np.testing.assert_array_equal(found, np.maximum(known.ppf(p), 0))
    assert session.eval("binopdf(0.5, 3, 0.5)") == 0


def test_norminv(session: Session) -> None:
    np.testing.assert_allclose(
        session.eval("norminv([0 0.1 0.975 1 2], 1, 2)"),
        [[-np.inf, *scipy.stats.norm(1, 2).ppf([0.1, 0.975]), np.inf, np.nan]],
    )


VALUES = [
    ("zscore([1 2 3;1 5 9])", "[0 -1 -1;0 1 1]/sqrt(2)"),
    ("zscore([1 2 3],1)", "[-1 0 1]*sqrt(1.5)"),
    ("zscore(reshape(1:8,2,2,2),0,[1 2])", "repmat(reshape(zscore(1:4),2,2),1,1,2)"),
    ("zscore(reshape(1:8,2,2,2),0,[1 3])", "repmat(reshape(zscore([1 2 5 6]),2,1,2),1,2)"),
    ("zscore(reshape(1:8,2,2,2),0,'all')", "reshape(zscore(1:8),2,2,2)"),
    ("zscore([1 2],0,[3 4])", "[0 0]"),
    ("skewness(cat(3,[1 2],[3 10]),1,[2 3])", "skewness([1 2 3 10])"),
    ("skewness([1 2 3 10;4 4 5 9],1,2)", "[45/12.5^1.5;9/4.25^1.5]"),
    ("kurtosis([1 2 3 4])", "1.64"),
    ("nanmean([1 NaN;3 5])", "[2 5]"),
    ("nanstd([1 NaN;3 5],1,2)", "[0;1]"),
    ("nanmax([1 NaN 3],2)", "[2 2 3]"),
    ("nanmin([4 NaN;2 1],[],2)", "[4;1]"),
    ("nanmedian([1 NaN 3 8;2 2 NaN 4],2)", "[3;2]"),
    ("tabulate([1 2 2 4])", "[1 1 25;2 2 50;3 0 0;4 1 25]"),
    ("tabulate([0.5 0.5 -1])", "[-1 1 100/3;0.5 2 200/3]"),
    ("pdist([0 0;3 4;0 1],'cityblock')", "[7 1 6]"),
    ("pdist([0 0;3 4],'minkowski',3)", "(27+64)^(1/3)"),
    ("pdist([1 0 2;1 1 0],'hamming')", "2/3"),
    ("pdist([1 0 0;1 1 0],'jaccard')", "1/2"),
    ("pdist([0 0;2 0;0 2;2 2],'seuclidean',[2 1])", "[1 2 sqrt(5) sqrt(5) 2 1]"),
    ("pdist2([0 0;1 1],[0 0;2 2;5 5])", "sqrt(2)*[0 2 5;1 1 4]"),
    ("pdist2([0;3;7],[2;6],'euclidean','Smallest',2)", "[1 1;2 3]"),
    ("squareform(squareform([1 2 3 4 5 6]))", "[1 2 3 4 5 6]"),
    ("linkage([1 4 3])", "[1 2 1;3 4 3]"),
    ("linkage([0;1;5;7],'ward')", "[1 2 1;3 4 2;5 6 sqrt(2*2*2/4)*5.5]"),
    ("kmeans([0 1 10 11]',2,'Start',[0;10])", "[1;1;2;2]"),
    ("corr([1 2 3 4]',[1 3 2 4]','Type','Spearman')", "0.8"),
    ("corr([1 2 3 4]',[1 3 2 4]','Type','Kendall')", "2/3"),
    ("corr([1 2;2 4;NaN 1;5 9],'Rows','complete')", "corrcoef([1 2;2 4;5 9])"),
    ("mvnrnd([1 2;3 4],zeros(2))", "[1 2;3 4]"),
]


@pytest.mark.parametrize(("code", "expected"), VALUES)
def test_values(code: str, expected: str, session: Session) -> None:
    found, wanted = (np.asarray(session.eval(c)) for c in (code, expected))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_distances_are_those_of_their_formulas(session: Session) -> None:
    x = np.asarray(session.eval("X"))
    d = np.ravel(session.eval("pdist(X, 'mahalanobis')"))
    inverse = np.linalg.inv(np.cov(x.T))
    wanted = [
        np.sqrt((x[i] - x[j]) @ inverse @ (x[i] - x[j]))
        for i in range(12)
        for j in range(i + 1, 12)
    ]
    np.testing.assert_allclose(d, wanted)
    one = session.eval("pdist2(X, Y, 'spearman')")
    rho = [
        [scipy.stats.spearmanr(a, b).statistic for b in np.asarray(session.eval("Y"))] for a in x
    ]
    np.testing.assert_allclose(one, 1 - np.array(rho), atol=1e-12)


def test_correlation_and_its_probability(session: Session) -> None:
    rho, p = session.eval("corr(X)", nargout=2)
    x = np.asarray(session.eval("X"))
    for i, j in ((0, 1), (2, 3)):
        known = scipy.stats.pearsonr(x[:, i], x[:, j])
        assert rho[i, j] == pytest.approx(known.statistic)
        assert p[i, j] == pytest.approx(known.pvalue)
    assert (np.diag(p) == 1).all()


DRAWS = {
    "normrnd(2, 3, 1, 4000)": scipy.stats.norm(2, 3),
    "unifrnd(2, 5, 1, 4000)": scipy.stats.uniform(2, 3),
    "exprnd(2, 1, 4000)": scipy.stats.expon(scale=2),
    "gamrnd(2.5, 2, [1 4000])": scipy.stats.gamma(2.5, scale=2),
    "randg(2.5, 1, 4000)": scipy.stats.gamma(2.5),
    "betarnd(2, 3, 1, 4000)": scipy.stats.beta(2, 3),
    "chi2rnd(5, 1, 4000)": scipy.stats.chi2(5),
    "trnd(4, 1, 4000)": scipy.stats.t(4),
}


@pytest.mark.parametrize("call", DRAWS)
def test_draws_follow_their_distribution(call: str, session: Session) -> None:
    session.run("rng(7)")
    found = np.ravel(session.eval(call))
    assert scipy.stats.kstest(found, DRAWS[call].cdf).pvalue > 1e-3
    session.run("rng(7)")
    np.testing.assert_array_equal(found, np.ravel(session.eval(call)))


@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("binornd(9, 0.4, 1, 4000)", scipy.stats.binom(9, 0.4)),
        ("poissrnd(3, 1, 4000)", scipy.stats.poisson(3)),
    ],
)
def test_discrete_draws(call: str, known: Any, session: Session) -> None:
    session.run("rng(3)")
    counts = np.bincount(np.ravel(session.eval(call)).astype(int), minlength=20)[:20]
    expected = known.pmf(np.arange(20)) * 4000
    used = expected > 5
    assert ((counts - expected)[used] ** 2 / expected[used]).sum() < 40


@pytest.mark.parametrize(
    ("call", "mean"),
    [
        ("wishrnd([2 1; 1 3], 6)", [[12, 6], [6, 18]]),
        ("iwishrnd([2 1; 1 3], 9)", [[2 / 6, 1 / 6], [1 / 6, 3 / 6]]),
        ("mnrnd(20, [0.2 0.3 0.5])", [[4, 6, 10]]),
    ],
)
def test_means_of_random_matrices(call: str, mean: Any, session: Session) -> None:
    session.run(f"rng(4); total = 0; for k = 1:4000, total = total + {call}; end")
    np.testing.assert_allclose(session.eval("total / 4000"), mean, rtol=0.04)


def test_factors_of_covariances_are_used_again(session: Session) -> None:
    session.run("rng(1); [w, d] = wishrnd([2 1; 1 3], 6); rng(1); v = wishrnd([], 6, d);")
    assert session.eval("isequal(v, w) && norm(d'*d - [2 1; 1 3]) < 1e-14")
    session.run("rng(1); [w, d] = iwishrnd([2 1; 1 3], 6); rng(1); v = iwishrnd([], 6, d);")
    assert session.eval("isequal(v, w) && norm(inv(d'*d) - [2 1; 1 3]) < 1e-14")


def test_one_gamma_number_needs_no_arguments(session: Session) -> None:
    assert session.eval("isscalar(randg) && randg > 0")


def test_nearest_rows_beside_all_distances(session: Session) -> None:
    session.run("rng(3); x = rand(50, 3); y = rand(20, 3); [i, d] = knnsearch(x, y, 'K', 4);")
    session.run("[e, j] = pdist2(x, y, 'euclidean', 'Smallest', 4);")
    assert session.eval("isequal(i, j') && isequal(d, e')")
    session.run("i = knnsearch(x, y, 'Distance', 'minkowski', 'P', 1);")
    assert session.eval("isequal(i, knnsearch(x, y, 'Distance', 'cityblock'))")
    assert session.eval("isequal(knnsearch([1; 1; 3], [1; 2]), [1; 1])")


def test_density_of_normal_vectors(session: Session) -> None:
    known = scipy.stats.multivariate_normal([1, -1], [[2, 0.5], [0.5, 1]])
    found = session.eval("mvnpdf([0 0; 1 2; 3 -1], [1 -1], [2 0.5; 0.5 1])")
    points = np.array([[0, 0], [1, 2], [3, -1]])
    np.testing.assert_allclose(np.ravel(found), known.pdf(points), rtol=1e-13)


def test_mvnrnd_has_the_covariance(session: Session) -> None:
    session.run("rng(2); r = mvnrnd([1 -2], [2 1; 1 3], 20000);")
    np.testing.assert_allclose(session.eval("mean(r)"), [[1, -2]], atol=0.06)
    np.testing.assert_allclose(session.eval("cov(r)"), [[2, 1], [1, 3]], atol=0.12)


def test_parameters_give_the_size(session: Session) -> None:
    assert session.eval("isequal(size(normrnd(zeros(3, 2), 1)), [3 2])")
    assert session.eval("isequal(size(poissrnd([1; 2; 3])), [3 1])")
    assert session.eval("isequal(size(exprnd(1, 3)), [3 3])")
    assert np.isnan(session.eval("normrnd(0, -1)"))


def test_kmeans_finds_clusters_apart(session: Session) -> None:
    session.run(
        "rng(4); P = [randn(30, 2); randn(30, 2) + 20; randn(30, 2) - 20];"
        "[i, c, s, d] = kmeans(P, 3, 'Replicates', 3);"
    )
    labels = np.ravel(session.eval("i")).reshape(3, 30)
    assert (labels == labels[:, :1]).all()
    assert sorted(labels[:, 0]) == [1, 2, 3]
    assert session.eval("isequal(size(d), [90 3])")
    own = session.eval("sum(min(d, [], 2)) - sum(s)")
    assert abs(own) < 1e-9


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("zscore(1:3, 2)", "stats:zscore:BadFlag"),
        ("pdist([1 2;3 4], 'euclidian')", "stats:pdist:unknownOption"),
        ("pdist2([1 2], [1 2 3])", "stats:pdist2:SizeMismatch"),
        ("squareform([1 2])", "stats:squareform:BadVectorSize"),
        ("squareform([0 1;2 0])", "stats:squareform:BadInput"),
        ("kmeans([1;2], 3)", "stats:kmeans:TooManyClusters"),
        ("kmeans([1;2], 1, 'Replicats', 2)", "stats:kmeans:unknownOption"),
        ("normrnd(ones(1, 2), 1, 3, 3)", "stats:normrnd:InputSizeMismatch"),
        ("mvnrnd([0 0], [1 2;2 1], 3)", "stats:mvnrnd:BadCovariance"),
        ("linkage([1 2])", "stats:linkage:BadSize"),
        ("corr([1;2], [1;2;3])", "stats:corr:InputSizeMismatch"),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


@pytest.mark.parametrize(
    ("metric", "options"), [("euclidean", ""), ("cityblock", ""), ("minkowski", ",'P',3")]
)
def test_trees_find_what_comparing_with_all_finds(metric: str, options: str) -> None:
    one = Session()
    # a lattice, so that many distances are equal
    one.run("[a, b] = meshgrid(1:60); X = [a(:) b(:)]; Y = X(1:2:end, :) + 0.5;")
    one.run(f"m = createns(X, 'Distance', '{metric}'{options});")
    one.run("[i, d] = knnsearch(m, Y, 'K', 5);")
    one.run(f"[j, e] = knnsearch(X, Y, 'K', 5, 'NSMethod', 'exhaustive', 'Distance', '{metric}'"
            f"{options});")  # fmt: skip
    assert one.eval("class(m)") == "KDTreeSearcher"
    assert one.eval("isequal(i, j) && max(abs(d - e), [], 'all') < 1e-12") is True
    assert one.eval("isequal(rangesearch(m, Y(1:3,:), 2), rangesearch(X, Y(1:3,:), 2, 'Distance',"
                    f" '{metric}'{options}))") is True  # fmt: skip


def test_ties_are_included(session: Session) -> None:
    session.run("[i, d] = knnsearch([0;1;-1;2], 0, 'K', 2, 'IncludeTies', true);")
    assert session.eval("isequal(i, {[1 2 3]}) && isequal(d, {[0 1 1]})") is True


def test_searchers_have_properties(session: Session) -> None:
    session.run("m = createns(X, 'Distance', 'minkowski', 'P', 3, 'BucketSize', 7);")
    assert session.eval("m.BucketSize == 7 && m.DistParameter == 3 && isequal(m.X, X)") is True
    session.run("m.Distance = 'chebychev';")
    assert session.eval("isequal(knnsearch(m, Y), knnsearch(X, Y, 'Distance', 'chebychev'))")
    with pytest.raises(MatlabError) as raised:
        session.run("m.X = 1;")
    assert raised.value.identifier == "MATLAB:class:SetProhibited"


def test_a_table_of_chi_squared_is_that_of_scipy(session: Session) -> None:
    session.run("rng(3); a = randi(3, 60, 1); b = randi(4, 60, 1); [t, c, p] = crosstab(a, b);")
    wanted = scipy.stats.chi2_contingency(np.asarray(session.workspace["t"]), correction=False)
    assert session.eval("c") == pytest.approx(wanted.statistic)
    assert session.eval("p") == pytest.approx(wanted.pvalue)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("dummyvar([1 0])", "stats:dummyvar:BadGroup"),
        ("grp2idx({1})", "stats:grp2idx:BadGroup"),
        ("crosstab([1 2], 1)", "stats:crosstab:InputSizeMismatch"),
        ("grpstats([1; 2], [1; 2; 3])", "stats:grpstats:InputSizeMismatch"),
        ("grpstats([1; 2], [1; 2], 'meen')", "stats:grpstats:BadStat"),
        ("grpstats(table([1; 2]), 'q')", "stats:grpstats:BadVar"),
    ],
)
def test_bad_groups(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


def test_extremes_without_nan_say_where_they_are() -> None:
    session = Session()
    session.run(
        "[m, i] = nanmin([3 NaN 1; 2 5 NaN]); [n, j] = nanmax([NaN 4 4; NaN NaN 1], [], 2);"
    )
    found = [session[name].tolist() for name in "minj"]
    assert found == [[[2, 5, 1]], [[2, 2, 1]], [[4], [1]], [[2], [3]]]
