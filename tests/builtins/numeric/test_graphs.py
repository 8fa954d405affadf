"""Graphs and directed graphs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from runmat_core.session import Session

Same = Callable[[str, str], None]

VALUES = [
    ("G=graph([3 1 2],[1 2 3]);;G.Edges.EndNodes", "[1 2;1 3;2 3]"),
    ("G=digraph([3 1 2],[1 2 3]);;G.Edges.EndNodes", "[1 2;2 3;3 1]"),
    ("G=graph([3 1],[1 2],[30 12]);;G.Edges.Weight", "[12;30]"),
    ("G=graph([0 2;2 5]);;[G.Edges.EndNodes G.Edges.Weight]", "[1 2 2;2 2 5]"),
    ("G=graph(logical([0 1;1 0]));;G.Edges.Properties.VariableNames", "{'EndNodes'}"),
    ("G=graph([0 7;0 0],'upper');;G.Edges.Weight", "7"),
    ("G=graph(sparse([0 2;2 0]));;G.Edges.Weight", "2"),
    ("G=graph([1 1],[1 2],'omitselfloops');;numedges(G)", "1"),
    ("G=graph({'b','a'},{'a','c'});;G.Nodes.Name", "{'b';'a';'c'}"),
    ("G=graph({'b','a'},{'a','c'});;G.Edges.EndNodes", "{'b','a';'a','c'}"),
    ("G=digraph(1,2,[],{'x','y','z'});;numnodes(G)", "3"),
    ("G=digraph(1,[2 3],[],7);;[numnodes(G) numedges(G)]", "[7 2]"),
    ("G=digraph('a',{'b','c'},[1 2]);;G.Edges.Weight'", "[1 2]"),
    ("G=graph;;[G.numnodes numedges(G)]", "[0 0]"),
    ("G=addedge(graph(1,2),2,5);;[numnodes(G) numedges(G)]", "[5 2]"),
    ("G=addedge(digraph({'a'},{'b'}),'c','a');;G.Nodes.Name", "{'a';'b';'c'}"),
    ("G=addnode(graph({'a'},{'b'}),1);;G.Nodes.Name", "{'a';'b';'Node3'}"),
    ("G=addnode(graph(1,2),'q');;G.Nodes.Name", "{'Node1';'Node2';'q'}"),
    ("G=rmnode(graph([1 2 3],[2 3 4],[5 6 7]),2);;[G.Edges.EndNodes G.Edges.Weight]", "[2 3 7]"),
    ("G=subgraph(digraph([1 2 3],[2 3 1]),[3 1]);;G.Edges.EndNodes", "[1 2]"),
    ("G=subgraph(graph([1 2 3],[2 3 1]),[true;true;false]);;numedges(G)", "1"),
    ("[H,k]=reordernodes(digraph([1 2],[2 3]),[3 2 1]);;k'", "[2 1]"),
    ("G=rmedge(digraph([1 2 3],[2 3 1]),[1 3]);;G.Edges.EndNodes", "[2 3]"),
    ("findedge(digraph([1 2],[2 1]),2,1)", "2"),
    ("[s,t]=findedge(graph([1 2],[2 3]),2);;[s t]", "[2 3]"),
    ("neighbors(graph({'a','a'},{'c','b'}),'a')", "{'c';'b'}"),
    ("neighbors(graph([1 1 1],[1 2 2]),1)", "[1;2]"),
    ("predecessors(digraph([1 2],[3 3]),3)", "[1;2]"),
    ("degree(graph([1 1],[1 2]))", "[3;1]"),
    ("degree(graph([1 1],[1 2]),[2 1])", "[1 3]"),
    ("full(adjacency(digraph([1 1 2],[2 2 3])))", "[0 2 0;0 0 1;0 0 0]"),
    ("full(adjacency(graph([1 2],[2 3],[4 5]),'weighted'))", "[0 4 0;4 0 5;0 5 0]"),
    ("full(incidence(graph([1 2],[2 3])))", "[-1 0;1 -1;0 1]"),
    ("full(laplacian(graph([1 2 3],[2 3 1])))", "3*eye(3)-1"),
    ("bfsearch(digraph([1 1 2 3 4],[3 2 4 5 6]),1)'", "[1 2 3 4 5 6]"),
    ("dfsearch(digraph([1 1 2 3 4],[3 2 4 5 6]),1)'", "[1 2 4 6 3 5]"),
    ("dfsearch(digraph([1 1 2],[2 3 3]),1,'finishnode')'", "[3 2 1]"),
    ("bfsearch(graph([1 2 1],[2 3 3]),1,'edgetonew')", "[1 2;1 3]"),
    ("bfsearch(graph([1 3],[2 4]),3,'Restart',true)'", "[3 4 1 2]"),
    ("bfsearch(digraph({'a'},{'b'}),'a')", "{'a';'b'}"),
    ("distances(digraph([1 2],[2 3],[2 3]))", "[0 2 5;Inf 0 3;Inf Inf 0]"),
    ("distances(graph([1 2 1],[2 3 3],[0 0 1]),1)", "[0 0 0]"),
    ("distances(graph([1 2 1],[2 3 3],[1 1 9]),1,3,'Method','unweighted')", "1"),
    ("distances(digraph([1 1 2],[2 3 3],[5 1 -9]),1)", "[0 5 -4]"),
    ("shortestpath(graph({'a','b'},{'b','c'}),'a','c')", "{'a','b','c'}"),
    ("[p,d,e]=shortestpath(graph([1 2 1],[2 3 3],[1 1 5]),3,1);;{p,d,e}", "{[3 2 1],2,[3 1]}"),
    ("[p,d]=shortestpath(digraph(1,2),2,1);;{p,d}", "{zeros(1,0),Inf}"),
    ("conncomp(digraph([1 2 3 3],[2 1 1 4]))", "[2 2 1 3]"),
    ("conncomp(digraph([1 2 3 3],[2 1 1 4]),'Type','weak')", "[1 1 1 1]"),
    ("matchpairs([1 2;2 4],10)", "[2 1;1 2]"),
    ("matchpairs([1 2;2 4],10,'max')", "zeros(0,2)"),
    ("matchpairs([1 2;2 4],-10,'max')", "[1 1;2 2]"),
    ("[m,r,c]=matchpairs([1 Inf 9;Inf Inf 8],3);;{m,r,c}", "{[1 1],2,[2;3]}"),
    ("[m,r,c]=matchpairs(zeros(0,2),3);;{m,r,c}", "{zeros(0,2),zeros(0,1),[1;2]}"),
    ("[b,n]=conncomp(graph([2 3],[4 5]));;{b,n}", "{[1 2 3 2 3],[1 2 2]}"),
    ("conncomp(graph(1,2,[],3),'OutputForm','cell')", "{[1 2],3}"),
    ("[T,p]=minspantree(graph([1 2 4],[2 3 5]));;p", "[0 1 2 NaN NaN]"),
    ("[T,p]=minspantree(graph([1 2 4],[2 3 5]),'Type','forest');;p", "[0 1 2 0 4]"),
    ("toposort(digraph([1 2 4],[3 3 1]))", "[4 2 1 3]"),
    ("toposort(digraph([1 2 4],[3 3 1]),'Order','stable')", "[2 4 1 3]"),
    ("[isdag(digraph([1 2],[2 3])) isdag(digraph(1,1))]", "[true false]"),
    ("centrality(digraph([1 1 2],[2 3 3]),'indegree')'", "[0 1 2]"),
    ("centrality(graph([1 2],[2 3]),'closeness')'", "[1/3 1/2 1/3]"),
    ("centrality(graph([1 2 3],[2 3 4]),'betweenness')'", "[0 2 2 0]"),
    ("G=graph([1 2],[2 3]);;G.Edges.Weight=[4;5];;distances(G,1)", "[0 4 9]"),
    ("G=graph([1 2],[2 3],[1 1]);;H=G;;G.Edges.Weight(2)=7;;[distances(G,1) distances(H,1)]",
     "[0 1 8 0 1 2]"),
    ("isequal(graph([1 2],[2 3]),graph([2 3],[1 2]))", "true"),
    ("isequal(graph(1,2),digraph(1,2))", "false"),
    ("maxflow(graph([1 1 2 3],[2 3 4 4],[3 2 1 5]),1,4)", "3"),
    ("[f,G,a,b]=maxflow(digraph([1 2],[2 3],[4 1]),1,3);;{f,G.Edges.Weight',a',b'}",
     "{1,[1 1],[1 2],3}"),
    ("G=flipedge(digraph([1 2],[2 3]),1,2);;G.Edges.EndNodes", "[2 1;2 3]"),
    ("G=transclosure(digraph([1 2],[2 1]));;G.Edges.EndNodes", "[1 1;1 2;2 1;2 2]"),
    ("class(digraph)", "'digraph'"),
    ("G=graph([1 2],[2 3],[4 5]);;isequal(G,graph(G.Edges))", "true"),
    ("G=digraph({'b','a'},{'a','c'},[4 5]);;isequal(G,digraph(G.Edges,G.Nodes))", "true"),
    ("G=digraph({'b','a'},{'a','c'});;G.Nodes.Name{3}='z';;successors(G,'a')", "{'z'}"),
    ("G=graph([1 2],[2 3]);;[size(G.Edges) size(G.Nodes)]", "[2 1 3 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[c for c, _ in VALUES])
def test_values(code: str, expected: str, same: Same) -> None:
    same(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("graph([1 2;3 4])", "MATLAB:graphfun:graph:Symmetric"),
        ("graph(ones(2,3))", "MATLAB:graphfun:graph:Square"),
        ("graph(1.5,2)", "MATLAB:graphfun:graph:InvalidNodeID"),
        ("graph(1:3,1:2)", "MATLAB:graphfun:graph:InvalidEdgeList"),
        ("graph(1,2,[1 2])", "MATLAB:graphfun:graph:InvalidWeights"),
        ("digraph(1,2,[],{'a','a'})", "MATLAB:graphfun:graph:NonUniqueNames"),
        ("graph(1,1e15)", "MATLAB:array:SizeLimitExceeded"),
        ("addedge(graph(1,2,5),2,3)", "MATLAB:graphfun:addedge:SpecifyWeight"),
        ("neighbors(graph(1,2),3)", "MATLAB:graphfun:neighbors:InvalidNodeID"),
        ("neighbors(graph(1,2),'a')", "MATLAB:graphfun:neighbors:UnknownNodeName"),
        ("degree(digraph(1,2))", "MATLAB:UndefinedFunction"),
        ("numnodes(5)", "MATLAB:UndefinedFunction"),
        ("toposort(digraph([1 2],[2 1]))", "MATLAB:graphfun:toposort:CycleFound"),
        ("laplacian(graph(1,1))", "MATLAB:graphfun:laplacian:SelfLoops"),
        ("distances(graph(1,2,-1))", "MATLAB:graphfun:distances:NegativeWeights"),
        ("distances(digraph([1 2],[2 1],[1 -2]))", "MATLAB:graphfun:distances:NegativeCycle"),
        ("G=graph(1,2); G.Edges=5;", "MATLAB:graphfun:graph:SetProperty"),
        ("G=graph(1,2); G.Edges.EndNodes=[1 1];", "MATLAB:graphfun:graph:SetProperty"),
        ("G=graph(1,2); G.Nodes.Colour=[1;2];", "MATLAB:graphfun:graph:SetProperty"),
        ("graph(table([1 2;2 3]))", "MATLAB:table:UnrecognizedVarName"),
        ("G=graph(1,2); G.What", "MATLAB:noSuchMethodOrField"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


def _random(session: Session, seed: int, directed: bool) -> np.ndarray:
    """A graph G in the session; returns the matrix of its weights, Inf where there is no edge."""
    draw = np.random.default_rng(seed)
    n = 7
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and (directed or i < j)]
    chosen = [pair for pair in pairs if draw.random() < 0.35]
    weights = draw.integers(1, 9, len(chosen)).astype(float)
    matrix = np.full((n, n), np.inf)
    for (i, j), w in zip(chosen, weights, strict=True):
        matrix[i, j] = w
        if not directed:
            matrix[j, i] = w
    s, t = (np.array([pair[k] + 1.0 for pair in chosen])[None] for k in (0, 1))
    session.workspace["s"], session.workspace["t"] = s, t
    session.workspace["w"] = weights[None]
    session.run(f"G = {'di' if directed else ''}graph(s, t, w, {n});")
    return matrix


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("directed", [False, True])
def test_against_plain_searches(session: Session, seed: int, directed: bool) -> None:
    matrix = _random(session, seed, directed)
    n = len(matrix)
    far = matrix.copy()
    np.fill_diagonal(far, 0)
    for k in range(n):
        far = np.minimum(far, far[:, [k]] + far[[k], :])
    np.testing.assert_array_equal(np.asarray(session.eval("distances(G)")), far)
    path, length = session.eval("shortestpath(G, 1, 7)", nargout=2)
    steps = np.atleast_1d(np.asarray(path)).ravel().astype(int) - 1
    assert length == far[0, 6]
    if np.isfinite(length):
        assert sum(matrix[a, b] for a, b in pairwise(steps)) == length
    # the least cut is the largest flow
    room = np.where(np.isfinite(matrix), matrix, 0)
    cuts = []
    for count in range(n - 1):
        for others in combinations(range(1, n - 1), count):
            side = [0, *others]
            rest = [k for k in range(n) if k not in side]
            cuts.append(room[np.ix_(side, rest)].sum())
    assert session.eval("maxflow(G, 1, 7)") == min(cuts)
    # on how many shortest paths a node lies, counted one by one
    count = np.zeros(n)
    for a, b in permutations(range(n), 2):
        found = [
            [a, *middle, b]
            for size in range(n - 1)
            for middle in permutations([k for k in range(n) if k not in (a, b)], size)
            if sum(matrix[x, y] for x, y in zip([a, *middle], [*middle, b], strict=True))
            == far[a, b]
            and np.isfinite(far[a, b])
        ]
        for way in found:
            count[way[1:-1]] += 1 / len(found)
    between = np.asarray(session.eval("centrality(G, 'betweenness', 'Cost', G.Edges.Weight)"))
    np.testing.assert_allclose(between.ravel(), count if directed else count / 2, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_spanning_trees_and_components(session: Session, seed: int) -> None:
    from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

    matrix = _random(session, seed, directed=False)
    room = np.where(np.isfinite(matrix), matrix, 0)
    session.run("T = minspantree(G, 'Type', 'forest');")
    assert session.eval("sum(T.Edges.Weight)") == minimum_spanning_tree(room).sum()
    assert session.eval("max(conncomp(G))") == connected_components(room)[0]
    directed = _random(session, seed + 10, directed=True)
    bins = np.asarray(session.eval("conncomp(G)")).ravel()
    assert bins.max() == connected_components(np.isfinite(directed), connection="strong")[0]
    for a, b in np.argwhere(np.isfinite(directed)):
        assert bins[a] <= bins[b]


def test_pagerank_solves_its_equation(session: Session) -> None:
    # the web of six pages of a well-known example
    session.run("G = digraph([1 1 2 2 3 3 3 4 6], [2 6 3 4 4 5 6 1 1]);")
    rank = np.asarray(session.eval("centrality(G, 'pagerank')")).ravel()
    expected = [0.3210, 0.1705, 0.1066, 0.1368, 0.0643, 0.2007]
    np.testing.assert_allclose(rank, expected, atol=2e-3)
    vector = np.asarray(
        session.eval("centrality(graph([1 2 3 1],[2 3 1 4]), 'eigenvector', 'Tolerance', 1e-12)")
    ).ravel()
    a = np.array([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], float)
    principal = np.linalg.eigh(a)[1][:, -1]
    np.testing.assert_allclose(vector, principal / principal.sum(), atol=1e-6)


def test_methods_are_called_with_dots_and_warn(session: Session) -> None:
    session.run("G = graph([1 2 3 1], [2 3 1 4]); lastwarn('', '');")
    session.run("c = G.centrality('pagerank', 'MaxIterations', 1); [~, id] = lastwarn;")
    assert session.workspace["id"] == "MATLAB:graphfun:centrality:NoConv"
    assert session.eval("G.degree(3)") == 2
    assert session.eval("any(strcmp(methods(G), 'shortestpath'))") is True
