"""Creating, rearranging, sorting, grouping and combining arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

Same = Callable[[str, str], None]

CREATION = [
    ("zeros(2,3)", "[0 0 0;0 0 0]"),
    ("zeros(2,3,'like',sparse(1))", "sparse(2,3)"),
    ("true(1,2,'like',sparse(true))", "sparse([true true])"),
    ("false(2,3,'like',sparse(true))", "sparse(false(2,3))"),
    ("issparse(true(2,'like',sparse(true)))", "true"),
    ("class(false(2,'like',sparse(true)))", "'logical'"),
    ("true(2,'like',false)", "[true true; true true]"),
    ("ones(1,2,'like',sparse(1))", "sparse([1 1])"),
    ("eye(2,3,'like',sparse(1))", "speye(2,3)"),
    ("isreal(zeros(2,'like',1i))", "false"),
    ("class(ones(2,'like',single(1i)))", "'single'"),
    ("isreal(ones(1,'like',single(1i)))", "false"),
    ("ones([1 2])", "[1 1]"),
    ("size(ones(2,0,3))", "[2 0 3]"),
    ("eye(2,3)", "[1 0 0;0 1 0]"),
    ("true(1,2)", "[true true]"),
    ("linspace(0,1,3)", "[0 0.5 1]"),
    ("linspace(5,7,1)", "7"),
    ("linspace(1,1,3)", "[1 1 1]"),
    ("size(linspace(0,1))", "[1 100]"),
    ("logspace(0,2,3)", "[1 10 100]"),
    ("colon(1,2,7)", "1:2:7"),
    ("repmat([1 2],2)", "[1 2 1 2;1 2 1 2]"),
    ("repmat([1 2],[2 1])", "[1 2;1 2]"),
    ("size(repmat(1,[2 3 4]))", "[2 3 4]"),
    ("repmat([1;2],1,2,2)", "cat(3,[1 1;2 2],[1 1;2 2])"),
    ("repmat([1 2],0,1)", "zeros(0,2)"),
    ("repmat('a',2,2)", "['aa';'aa']"),
    ("repelem([1 2],[2 3])", "[1 1 2 2 2]"),
    ("repelem([1 2;3 4],1,2)", "[1 1 2 2;3 3 4 4]"),
    ("magic(3)", "[8 1 6;3 5 7;4 9 2]"),
    ("magic(6)",
     "[35 1 6 26 19 24;3 32 7 21 23 25;31 9 2 22 27 20;8 28 33 17 10 15;"
     "30 5 34 12 14 16;4 36 29 13 18 11]"),
    ("magic(2)", "[1 3;4 2]"),
    ("diag([1 2],1)", "[0 1 0;0 0 2;0 0 0]"),
    ("diag([1 2;3 4],-1)", "3"),
    ("tril(ones(3),-1)", "[0 0 0;1 0 0;1 1 0]"),
    ("triu(ones(2,3),1)", "[0 1 1;0 0 1]"),
    ("blkdiag(1,[2 3])", "[1 0 0;0 2 3]"),
    ("kron([1 2],[1 1])", "[1 1 2 2]"),
    ("toeplitz([1 2],[1 5 6])", "[1 5 6;2 1 5]"),
    ("hankel([1 2],[2 3 4])", "[1 2 3;2 3 4]"),
    ("vander([1 2 3])", "[1 1 1;4 2 1;9 3 1]"),
    ("[X,Y]=meshgrid(1:2,1:3);;[X Y]", "[1 2 1 1;1 2 2 2;1 2 3 3]"),
    ("[X,Y]=ndgrid(1:2,1:3);;[X Y]", "[1 1 1 1 2 3;2 2 2 1 2 3]"),
    ("ndgrid(1:3)", "[1;2;3]"),
    ("zeros(1,2,'logical')", "[false false]"),
    ("ones(2,1,'like',true)", "[true;true]"),
    ("[X,Y,Z]=meshgrid(1:2,1:3,1:4);;[size(X) Z(1,1,4)]", "[3 2 4 4]"),
    ("Inf(1,2)", "[Inf Inf]"),
    ("NaN(2,1,'single')", "single([NaN;NaN])"),
    ("eps(1000)", "2^-43"),
    ("eps(single(1))", "single(2^-23)"),
]  # fmt: skip

SHAPE = [
    ("a=1:3;t=5;a(1,false)=t(false);c={1};e={};c(:,false)=e;;{a c}", "{1:3 {1}}"),
    ("a={0};c=repmat(a,1,1);c{1}=5;;{a c}", "{{0} {5}}"),
    ("a=struct('x',1);c=repmat(a,1);c.x=5;c(2).x=7;;{a.x [c.x]}", "{1 [5 7]}"),
    ("reshape(1:6,[],2)", "[1 4;2 5;3 6]"),
    ("reshape(1:6,3,[])", "[1 4;2 5;3 6]"),
    ("reshape([],0,5)", "zeros(0,5)"),
    ("permute([1 2;3 4],[2 1])", "[1 3;2 4]"),
    ("isequal(ipermute(permute(rand(2,3,4),[3 1 2]),[3 1 2]),1)", "false"),
    ("x=reshape(1:24,2,3,4);;isequal(ipermute(permute(x,[3 1 2]),[3 1 2]),x)", "true"),
    ("squeeze(ones(2,1,3))", "ones(2,3)"),
    ("size(shiftdim(ones(2,3,4),1))", "[3 4 2]"),
    ("cat(3,[1 2],[3 4])", "reshape([1 2 3 4],1,2,2)"),
    ("cat(2,'a',66)", "'aB'"),
    ("circshift([1 2 3 4],-1)", "[2 3 4 1]"),
    ("circshift([1 2;3 4;5 6],1)", "[5 6;1 2;3 4]"),
    ("circshift([1 2;3 4],1,2)", "[2 1;4 3]"),
    ("circshift([1 2;3 4],[1 1])", "[4 3;2 1]"),
    ("flip([1;2])", "[2;1]"),
    ("flip([1 2;3 4],2)", "[2 1;4 3]"),
    ("rot90([1 2;3 4],2)", "[4 3;2 1]"),
    ("[m,n]=size(ones(2,3,4));;[m n]", "[2 12]"),
    ("[a,b,c]=size(5);;[a b c]", "[1 1 1]"),
    ("numel(ones(2,3),':',1)", "2"),
    ("sub2ind([2 3],[1 2],[2 3])", "[3 6]"),
    ("[r,c]=ind2sub([2 3],[3 6]);;[r;c]", "[1 2;2 3]"),
    ("[r,c]=ind2sub([2 3 4],24);;[r c]", "[2 12]"),
]

SORTING = [
    ("sort([3 1 2])", "[1 2 3]"),
    ("sort([3;1;2],'descend')", "[3;2;1]"),
    ("sort([3 1;2 5],2)", "[1 3;2 5]"),
    ("[~,k]=sort([2 1 2 1]);;k", "[2 4 1 3]"),
    ("[~,k]=sort([2 1 2 1],'descend');;k", "[1 3 2 4]"),
    ("sort('hello')", "'ehllo'"),
    ("sort([true false])", "[false true]"),
    ("sort({'pear','apple'})", "{'apple','pear'}"),
    ("[~,k]=sort({'b';'a'});;k", "[2;1]"),
    ('sort(["b" "a"],"descend")', '["b" "a"]'),
    ("sort([3 NaN 1],'MissingPlacement','first')", "[NaN 1 3]"),
    ("sort([-3 2],'ComparisonMethod','abs')", "[2 -3]"),
    ("sort(zeros(1,0))", "zeros(1,0)"),
    ("sortrows([3 1;1 2;1 1])", "[1 1;1 2;3 1]"),
    ("sortrows([3 1;1 2;1 1],[1 -2])", "[1 2;1 1;3 1]"),
    ("[~,k]=sortrows([2;1],'descend');;k", "[1;2]"),
    ("sortrows({'b';'a'})", "{'a';'b'}"),
    ("issorted([1 2 2])", "true"),
    ("issorted([1 2 2],'strictascend')", "false"),
    ("issorted([3 2],'descend')", "true"),
    ("find([0 3 0 5])", "[2 4]"),
    ("find([0;3])", "2"),
    ("find([0 1;1 1])", "[2;3;4]"),
    ("find([0 0])", "zeros(1,0)"),
    ("find([0 0;0 0])", "zeros(0,1)"),
    ("find(0)", "zeros(0,0)"),
    ("find([])", "zeros(0,0)"),
    ("find([1 1 1],2)", "[1 2]"),
    ("find([1 1 1],1,'last')", "3"),
    ("[r,c,v]=find([0 7;8 0]);;[r c v]", "[2 1 8;1 2 7]"),
    ("maxk([3 9 4],2)", "[9 4]"),
    ("mink([3 9 4],2)", "[3 4]"),
]

SETS = [
    ("unique([3 1 3])", "[1 3]"),
    ("unique([3;1;3])", "[1;3]"),
    ("unique([3 1;3 1])", "[1;3]"),
    ("unique([])", "[]"),
    ("unique([3 1 3],'stable')", "[3 1]"),
    ("unique([1 2;1 2;0 5],'rows')", "[0 5;1 2]"),
    ("[~,ia,ic]=unique([5 5 7]);;[ia;ic]", "[1;3;1;1;2]"),
    ("[~,ia]=unique([5 5 7],'last');;ia", "[2;3]"),
    ("unique({'b','a','b'})", "{'a','b'}"),
    ("unique({'b';'a';'b'})", "{'a';'b'}"),
    ('unique(["b" "a" "b"])', '["a" "b"]'),
    ("unique('hello')", "'ehlo'"),
    ("unique(int8([3 1 3]))", "int8([1 3])"),
    ("ismember([1 5],[5 6])", "[false true]"),
    ("[~,loc]=ismember([6 1 5],[5 6 5]);;loc", "[2 0 1]"),
    ("ismember('b',{'a','b'})", "true"),
    ("ismember({'a','z'},{'a','b'})", "[true false]"),
    ("ismember('ab','bcd')", "[false true]"),
    ("ismember([1 2;3 4],[3 4],'rows')", "[false;true]"),
    ("[tf,loc]=ismember([],[1 2],'rows');;[tf loc]", "zeros(0,2)"),
    ("[tf,loc]=ismember([1 2;3 4],[],'rows');;[tf loc]", "[0 0;0 0]"),
    ("ismember({'a'},'a')", "true"),
    ("ismember(3,[])", "false"),
    ("union([1 3],[3 2])", "[1 2 3]"),
    ("union([1;3],[3 2])", "[1;2;3]"),
    ("union([],[2 1])", "[1 2]"),
    ("union({'b'},{'a','b'})", "{'a','b'}"),
    ("union([3 1],[2 1],'stable')", "[3 1 2]"),
    ("intersect([4 1 3],[3 4 9])", "[3 4]"),
    ("[~,ia,ib]=intersect([4 1 3],[3 4 9]);;[ia ib]", "[3 1;1 2]"),
    ("intersect({'a','b'},{'b','c'})", "{'b'}"),
    ("intersect([1 2;3 4],[3 4;5 6],'rows')", "[3 4]"),
    ("setdiff([5 3 1 3],3)", "[1 5]"),
    ("setdiff({'a','b'},{'b'})", "{'a'}"),
    ("setdiff({'a','b'},'b')", "{'a'}"),
    ("[~,ia]=setdiff([5 3 1],3);;ia", "[3;1]"),
    ("setdiff([5 4 1],4,'stable')", "[5 1]"),
    ("setdiff([1 2],[1 2])", "zeros(1,0)"),
    ("setxor([1 2 3],[3 4])", "[1 2 4]"),
    ("class(union(int8(1),2))", "'int8'"),
]

GROUPING = [
    ("accumarray([1;2;1],[10;20;30])", "[40;20]"),
    ("accumarray([1 1;2 2;1 1],[1;2;3])", "[4 0;0 2]"),
    ("accumarray([1;3],1)", "[1;0;1]"),
    ("accumarray([1;2;1],[10;20;30],[3 1])", "[40;20;0]"),
    ("accumarray([1;2;1],[10;20;30],[],@max)", "[30;20]"),
    ("accumarray([1;2;1],[10;20;30],[],@(x) numel(x))", "[2;1]"),
    ("accumarray([1;3],[5;6],[],@min,-1)", "[5;-1;6]"),
    ("accumarray([1;2;1],[1;2;3],[],@(x) {x})", "{[1;3];2}"),
    ("accumarray([1;3],[1;2],[],@(x) {x})", "{1;[];2}"),
    ("accumarray(int8([1;3;1]),[1;2;3])", "[4;0;2]"),
    ("accumarray({[1;2],[2;1]},[5;6])", "[0 5;6 0]"),
    ("accumarray([1;3],[1;2],[1 4])", "[1 0 2 0]"),
    ("accumarray([1;2;1],[1+2i;3;4])", "[5+2i;3]"),
    ("class(accumarray([1;2],single([1;2])))", "'single'"),
    ("class(accumarray([1;2],[true;false],[],@max))", "'double'"),
    ("accumarray([1;2;2],int16([1;2;3]),[3 1],@max)", "int16([1;3;0])"),
    ("accumarray([1;2;2],[1;2;3],[],@(x) numel(x) > 1)", "[false;true]"),
    ("accumarray([1;3;3],[1;NaN;2],[],@max)", "[1;0;2]"),
    ("accumarray([1;3;3],[1;NaN;NaN],[],@min,5)", "[1;5;NaN]"),
    ("accumarray([1;3],[-Inf;2],[],@max,9)", "[-Inf;9;2]"),
    ("accumarray([1;3],[2;2],[],@min,Inf)", "[2;Inf;2]"),
    ("accumarray(zeros(0,2),zeros(0,1),[2 2],@max,4)", "[4 4;4 4]"),
    ("issparse(accumarray([1;3],[1;2],[4 1],@sum,0,true))", "true"),
    ("histc([1 2 2 3 5],1:5)", "[1 2 1 0 1]"),
    ("histc([1;2;2],1:2)", "[1;2]"),
    ("histcounts([1 2 2 3 5],1:5)", "[1 2 1 1]"),
    ("hist(1:10)", "ones(1,10)"),
    ("hist([1 2 2 3 5],4)", "[3 1 0 1]"),
    ("hist([1 2;3 4;3 3],[1 2 3])", "[1 0;0 1;2 2]"),
    ("hist([0.5 1.5 1.6 9 NaN],[1 2 3])", "[2 1 1]"),
    ("hist([5 5 5],3)", "[0 3 0]"),
    ("hist([],3)", "[0 0 0]"),
    ("hist([-Inf 1 2 Inf],2)", "[2 2]"),
    ("cumsum(ones(2,2),3)", "ones(2,2)"),
]

NEAR = "near=@(x,y) norm(full(x-y))<1e-12;"
SPD = NEAR + "A=sparse([4 1 0 0;1 5 2 0;0 2 6 1;0 0 1 3]);"
IRREGULAR = NEAR + "B=sparse([0 2 0;3 0 1;0 1 5]);"

SPARSE = [
    ("full(sparse([1 2],[1 3],[5 7]))", "[5 0 0;0 0 7]"),
    ("full(sparse([1 1],[1 1],[5 7]))", "12"),
    ("issparse(sparse(2,2))", "true"),
    ("full(speye(2)*3)", "[3 0;0 3]"),
    ("nnz(sparse([1 0 2]))", "2"),
    ("[i,j,v]=find(sparse([0 4;3 0]));;[i j v]", "[2 1 3;1 2 4]"),
    ("full(sum(sparse([1 2;3 4])))", "[4 6]"),
    ("full(abs(sparse([-1 0])))", "[1 0]"),
    ("issparse(abs(sparse([-1 0])))", "true"),
    ("issparse(sum(sparse([1 2;3 4])))", "true"),
    ("full(diag(sparse([1 2;3 4])))", "[1;4]"),
    ("full(kron(speye(2),[1 2]))", "[1 2 0 0;0 0 1 2]"),
    ("full(spdiags([1 2 3]',0,3,3))", "diag([1 2 3])"),
    ("spdiags([1 2;3 4])", "[3 1 0;0 4 2]"),
    ("issparse(reshape(sparse([1 2;3 4]),1,4))", "true"),
    ("issparse(full(speye(2)))", "false"),
    ("full(sparse(1,[],true,1,2))", "[false false]"),
    ("full(sparse([1 2;3 4],[1 2;3 4],1))", "eye(4)"),
    ("blkdiag(sparse(1),[2 3])", "sparse([1 0 0;0 2 3])"),
    ("issparse(blkdiag(1,speye(2)))", "true"),
    ("[m,i]=max(sparse([1 0 3;0 -2 0]));;{issparse(m) full(m) i}", "{true [1 0 3] [1 1 1]}"),
    (
        "A=sparse([0 -2;3 0]);m=max(A,A');;{issparse(m) full(m) full(max(A,-1)) full(max(A,1))}",
        "{true [0 3;3 0] [0 -1;3 0] [1 1;3 1]}",
    ),
    (
        "A=sparse([0 -2;3 0]);;{full(min(A,[1 2;3 4])) full(min(1,A)) issparse(min(A,[1 2;3 4]))}",
        "{[0 -2;3 0] [0 -2;1 0] false}",
    ),
    ("A=sparse([0 NaN;3 0]);;{full(max(A,-A)) issparse(max(A,1i))}", "{[0 NaN;3 0] true}"),
    ("A=sparse(1e6,1e6);A(3,7)=-2;[i,j,v]=find(max(A,-A'));;[i j v]", "[7 3 2]"),
    (
        "A=sparse([0 -2;5 0]);;{mod(A,3) rem(A,3) mod(3,A)}",
        "{sparse([0 1;2 0]) sparse([0 -2;2 0]) sparse([3 -1;3 3])}",
    ),
    ("gcd(sparse([4 6]),10)", "[2 2]"),
    (SPD + "R=chol(A);;issparse(R) && near(R'*R,A)", "true"),
    (SPD + "L=chol(A,'lower');;istril(L) && near(L*L',A)", "true"),
    (SPD + "[L,p,S]=chol(A,'lower');;p==0 && near(L*L',S'*A*S)", "true"),
    (SPD + "[R,p,s]=chol(A,'vector');;p==0 && near(R'*R,A(s,s))", "true"),
    (SPD + "[R,p,S]=chol(-A);;{p size(R,1) issparse(S)}", "{1 0 true}"),
    (IRREGULAR + "[L,U,P,Q]=lu(B);;issparse(L) && near(P*B*Q,L*U)", "true"),
    (IRREGULAR + "[L,U]=lu(B);;near(B,L*U)", "true"),
    (IRREGULAR + "[L,U,p,q]=lu(B,'vector');;near(B(p,q),L*U)", "true"),
    (IRREGULAR + "[Q,R,E]=qr(B);;issparse(R) && near(B*E,Q*R)", "true"),
    (
        "[istril([1 0;2 3]) istriu([1 0;2 3]) isdiag(eye(2,3)) istril(eye(2,2,'int8'))]",
        "[true false true true]",
    ),
    (
        "[isbanded([1 2;0 3],0,1) isbanded([1 2;0 3],0,0) isdiag(ones(2,2,2)) isdiag([])]",
        "[true false false true]",
    ),
    ("[l,u]=bandwidth([1 2 0;0 3 4;5 0 6]);;[l u bandwidth(eye(3),'lower')]", "[2 1 0]"),
    ("bandwidth(sparse([0 0 7;0 0 0]),'upper')", "2"),
]


@pytest.mark.parametrize(
    ("code", "expected"), CREATION + SHAPE + SORTING + SETS + GROUPING + SPARSE
)
def test_value(same: Same, code: str, expected: str) -> None:
    same(code, expected)


def test_large_sparse_matrices_stay_sparse(same: Same) -> None:
    make = "S=sparse([1 5 5],[2 3 70000],[4 -5 6],100000,100000)"
    same(f"{make};;[nnz(S) full(sum(S(:,3))) full(max(max(S))) full(min(min(S)))]", "[3 -5 6 -5]")
    same(f"{make};;[nnz(abs(S)) nnz(sqrt(S)) nnz(sum(S,2)) nnz(any(S)) nnz(all(S))]", "[3 3 2 3 0]")
    same(f"{make};;[i,j,v]=find(S);;[i j v]", "[1 2 4;5 3 -5;5 70000 6]")
    same("full(cos(sparse([0 1])))", "cos([0 1])")


@pytest.mark.parametrize("code", ["sort([3 1; 2 5], 2, 3)", "sort([3 1; 2 5], 'up')"])
def test_what_follows_a_dimension_is_a_direction(code: str) -> None:
    with pytest.raises(MatlabError) as raised:
        Session().run(code)
    assert raised.value.identifier == "MATLAB:sort:sortDirection"


def test_histograms_are_counted_and_not_drawn() -> None:
    session = Session()
    session.run("[n, x] = hist([0 4], 4); [~, z] = hist([0 1; 4 2], 2);")
    assert session.eval("isequal(x, [0.5 1.5 2.5 3.5]) && isequal(z, [1; 3])")
    for code, identifier in [
        ("n = hist(1:3, [3 1 2]);", "MATLAB:hist:InvalidCenters"),
        ("n = hist(1:3, []);", "MATLAB:hist:InvalidInput"),
        ("n = hist(1i);", "MATLAB:hist:mustBeReal"),
    ]:
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        assert raised.value.identifier == identifier
