"""The hooks: handles, memory, plans, counters, faults."""

from __future__ import annotations

import inspect
import sys
import threading
from importlib.metadata import entry_points
from typing import Any

import numpy as np
import pluggy
import pytest
from runmat_inprocess import InprocessProvider, pool

from runmat_core.api import ir
from runmat_core.api.device import (
    CompileRequest,
    Copy,
    DeviceArray,
    DeviceFault,
    Downloaded,
    DownloadRequest,
    ExecuteRequest,
    ForeignHandle,
    FreeRequest,
    Launch,
    OutOfDeviceMemory,
    Repeat,
    SynchronizeRequest,
    TelemetryRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import ENTRY_POINT_GROUP, PROJECT, AccelProvider
from runmat_core.api.ir import reducers


def test_the_entry_point_names_a_class_with_every_hook() -> None:
    (entry,) = entry_points(group=ENTRY_POINT_GROUP, name="inprocess")
    assert entry.load() is InprocessProvider
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(AccelProvider)
    manager.register(InprocessProvider())
    manager.check_pending()
    for name, spec in inspect.getmembers(AccelProvider, inspect.isfunction):
        assert getattr(manager.hook, name).get_hookimpls(), name
        ours, theirs = (
            inspect.signature(getattr(c, name), eval_str=True)
            for c in (InprocessProvider, AccelProvider)
        )
        assert list(ours.parameters.values()) == list(theirs.parameters.values()), name
        assert spec.__doc__


def test_it_is_a_host(device: Any) -> None:
    told = device.capabilities
    assert told.kind == "host"
    assert told.epilogues
    assert told.dtypes == set(ir.CLASS_OF) | ir.COMPLEX
    assert told.threads >= 1
    assert told.libraries >= {"matmul", "syrk"}


@pytest.mark.parametrize(
    ("key", "value"), [("thread", 2), ("threads", 0), ("block", "64k"), ("block", True)]
)
def test_options_are_checked(key: str, value: Any, new_device: Any) -> None:
    with pytest.raises(DeviceFault, match=key):
        new_device(**{key: value})


def test_uploads_and_downloads_copy_nothing(device: Any) -> None:
    x = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    (handle,) = device.upload(x)
    assert (handle.shape, handle.dtype, handle.owner) == ((3, 4), "f64", "here")
    (back,) = device.download(handle)
    np.testing.assert_array_equal(back, x)
    assert np.shares_memory(back, x)
    assert device.provider.telemetry(TelemetryRequest()).live_bytes == 0


@pytest.mark.parametrize("dtype", sorted(ir.ITEMSIZE))
def test_arrays_of_every_type_and_shape(dtype: str, device: Any) -> None:
    for shape in ((0, 0), (1, 1), (2, 3, 4)):
        (handle,) = device.allocate((shape, dtype))
        (array,) = device.download(handle)
        assert array.shape == shape
        assert array.flags.f_contiguous
        (again,) = device.upload(array)
        assert (again.shape, again.dtype) == (shape, dtype)


def test_freed_and_foreign_handles_are_faults(device: Any, new_device: Any) -> None:
    (handle,) = device.allocate(((3, 3), "f64"))
    assert device.provider.free(FreeRequest(arrays=(handle,)))
    assert handle.payload is None
    with pytest.raises(ForeignHandle, match="freed"):
        device.download(handle)
    with pytest.raises(ForeignHandle, match="freed"):
        device.provider.free(FreeRequest(arrays=(handle,)))
    foreign = DeviceArray((1, 1), "f64", "there", object())
    with pytest.raises(ForeignHandle, match="there"):
        device.download(foreign)
    with pytest.raises(ForeignHandle, match="there"):
        device.provider.free(FreeRequest(arrays=(foreign,)))
    copy = ExecuteRequest(steps=(Copy(0, 1),), slots=(foreign, *device.allocate(((1, 1), "f64"))))
    with pytest.raises(ForeignHandle, match="there"):
        device.provider.execute(copy)


def test_an_executable_of_another_provider_is_a_fault(device: Any, write: Any) -> None:
    w = write("p", (3,))
    w.store(w.load(np.zeros(3)))
    (made,) = device.provider.compile(CompileRequest(units=(w.kernel(),)))
    other = type(made)(made.unit, "there", made.payload)
    slots = device.allocate(((3, 1), "f64"), ((3, 1), "f64"))
    launch = Launch(other, (0, 1), (3,), tuple(w.addressing))
    with pytest.raises(DeviceFault, match="there"):
        device.provider.execute(ExecuteRequest(steps=(launch,), slots=slots))


def test_no_room_keeps_nothing(new_device: Any) -> None:
    device = new_device(memory=1000)
    with pytest.raises(OutOfDeviceMemory, match="800 bytes") as caught:
        device.allocate(((50, 1), "f64"), ((100, 1), "f64"))
    assert caught.value.identifier == "RunMat:accel:outOfMemory"
    (handle,) = device.allocate(((125, 1), "f64"))
    assert device.provider.telemetry(TelemetryRequest()).live_bytes == 1000
    with pytest.raises(OutOfDeviceMemory):
        device.allocate(((1, 1), "f64"))
    device.provider.free(FreeRequest(arrays=(handle,)))
    device.allocate(((1, 1), "f64"))


def test_absurd_sizes_are_out_of_memory(new_device: Any) -> None:
    with pytest.raises(OutOfDeviceMemory):
        new_device().allocate(((1 << 40, 1 << 20), "f64"))


def test_freed_memory_is_used_again_unless_the_host_holds_it(device: Any) -> None:
    size = ((1 << 17, 1), "f64")

    def address(handle: Any) -> int:
        return int(handle.payload.ctypes.data)

    (first,) = device.allocate(size)
    place = address(first)
    device.provider.free(FreeRequest(arrays=(first,)))
    (second,) = device.allocate(size)
    assert address(second) == place
    (held,) = device.download(second)
    held[:] = 5
    device.provider.free(FreeRequest(arrays=(second,)))
    (third,) = device.allocate(size)
    assert address(third) != place
    assert (held == 5).all()
    del held
    (fourth,) = device.allocate(size)
    assert address(fourth) == place


def test_kept_memory_is_bounded(new_device: Any) -> None:
    device = new_device(keep=3 << 20)
    handles = device.allocate(*[((1 << 17, 1), "f64")] * 5)
    device.provider.free(FreeRequest(arrays=handles))
    assert sum(map(len, device.provider.memory._kept.values())) == 3
    assert device.provider.close()
    assert not device.provider.memory._kept


def doubling(device: Any, write: Any, size: int) -> Launch:
    """A kernel that writes twice its first slot to its second."""
    w = write("p", (size,))
    w.store(w.load(np.zeros(size)) * 2.0)
    (executable,) = device.provider.compile(CompileRequest(units=(w.kernel(),)))
    return Launch(executable, (0, 1), (size,), tuple(w.addressing), label="double")


def test_copies_and_repeats(device: Any, write: Any) -> None:
    x = np.arange(1.0, 5.0).reshape(4, 1)
    (a,) = device.upload(x)
    b, c = device.allocate(((4, 1), "f64"), ((4, 1), "f64"))
    launch = doubling(device, write, 4)
    steps = (Copy(2, 0), Repeat((launch,), 3, ((0, 1), (1, 0))), Copy(0, 2))
    device.provider.execute(ExecuteRequest(steps=steps, slots=(b, c, a)))
    first, second = device.download(b, c)
    np.testing.assert_array_equal(second, 8 * x)  # the third trip wrote where the first did
    np.testing.assert_array_equal(first, 4 * x)
    np.testing.assert_array_equal(device.download(a)[0], 8 * x)
    assert device.provider.synchronize(SynchronizeRequest())


def test_counters(device: Any, write: Any) -> None:
    x = np.ones((1000, 1))
    launch = doubling(device, write, 1000)
    slots = (*device.upload(x), *device.allocate(((1000, 1), "f64")))
    for _ in range(3):
        device.provider.execute(ExecuteRequest(steps=(launch,), slots=slots))
    told = device.provider.telemetry(TelemetryRequest(reset=True))
    assert (told.launches, told.compiles) == (3, 1)
    assert (told.bytes_read, told.bytes_written) == (24000, 24000)
    assert (told.live_bytes, told.live_arrays, told.peak_bytes) == (8000, 1, 8000)
    assert (told.upload_bytes, told.download_bytes) == (0, 0)
    assert told.kernel_seconds > 0
    ((label, launches, _),) = told.kernels
    assert (label, launches) == ("double", 3)
    assert dict(told.counters) == {"memory_reused": 0}
    again = device.provider.telemetry(TelemetryRequest())
    assert (again.launches, again.kernels, again.live_bytes) == (0, (), 8000)


def test_warmup_compiles(device: Any, write: Any) -> None:
    w = write("p", (3,))
    w.store(w.load(np.zeros(3)))
    assert device.provider.warmup(WarmupRequest(units=(w.kernel(),)))
    assert device.provider.telemetry(TelemetryRequest()).compiles == 1


@pytest.mark.parametrize(
    ("op", "dtype"), [("hypot", "c128"), ("div", "i32"), ("bitand", "f64"), ("pow", "i8")]
)
def test_what_is_declined(op: str, dtype: str, device: Any, write: Any) -> None:
    w = write("p", (3,))
    w.builder.emit("const", (), dtype, 0, 1)
    w.builder.emit(op, (0, 0), dtype, 0)
    good = write("p", (3,))
    good.store(good.load(np.zeros(3)))
    units = (w.kernel(), good.kernel())
    declined, made = device.provider.compile(CompileRequest(units=units))
    assert declined is None
    assert made is not None


def test_unknown_instructions_are_declined(device: Any, write: Any) -> None:
    w = write("p", (3,))
    w.builder.emit("scatter", (), "f64", 0)
    assert device.provider.compile(CompileRequest(units=(w.kernel(),))) == (None,)


def test_a_status_may_be_uploaded_or_allocated(device: Any, write: Any) -> None:
    w = write("p", (3,))
    w.guard(w.load(np.zeros(3)) < 1.0, 2)
    (executable,) = device.provider.compile(CompileRequest(units=(w.kernel(),)))
    launch = Launch(executable, (0,), (3,), tuple(w.addressing))
    zero = np.zeros((1, 1), np.uint32)
    (x,) = device.upload(np.zeros(3))
    for status in (*device.upload(zero), *device.allocate(((1, 1), "u32"))):
        device.provider.execute(ExecuteRequest(steps=(launch,), slots=(x,), status=status))
        done = device.provider.download(DownloadRequest(arrays=(), status=status))
        assert done == Downloaded(arrays=(), status=4)
    assert not zero.any()


def test_who_wakes_up_late_is_not_waited_for() -> None:
    workers = pool.Pool(2, 1000)
    began, go_on = threading.Event(), threading.Event()
    taken: list[int] = []

    def hold(worker: Any, number: int) -> None:
        if worker.number:
            began.set()
            go_on.wait(100)
        else:
            began.wait(100)

    def note(worker: Any, number: int) -> None:
        taken.append(worker.number)

    first = threading.Thread(target=workers.run, args=(2, hold))
    first.start()
    assert began.wait(100)
    # the other thread is busy with something else all the while
    workers.run(3, note)
    assert taken == [0, 0, 0]
    go_on.set()
    first.join(100)
    assert not first.is_alive()
    # and is there for what comes next
    began.clear()
    workers.run(2, hold)
    assert began.is_set()
    workers.close()


def test_a_failure_in_a_thread_is_raised_here_and_the_pool_goes_on() -> None:
    workers = pool.Pool(3, 1000)
    before = sys.getswitchinterval()

    def fail(worker: Any, number: int) -> None:
        if number == 5:
            raise KeyError(number)

    with pytest.raises(KeyError):
        workers.run(100, fail)
    assert sys.getswitchinterval() == before
    done: list[int] = []
    workers.run(100, lambda worker, number: done.append(number))
    assert sorted(done) == list(range(100))
    workers.close()


def test_a_failing_launch_leaves_the_provider_whole(new_device: Any, write: Any) -> None:
    device = new_device(block=64, threads=2)
    w = write("p", (1000,))
    w.store(w.load(np.zeros(500), (1,)) + 1.0)
    with pytest.raises(ValueError, match="broadcast"):
        device.outputs(w)
    w = write("r", (1000,))
    (total,) = ir.reduce(reducers.sum_("f64"), w.load(np.ones(1000)))
    w.store(total)
    assert device.output(w).item() == 1000


def test_frames_at_rest_keep_no_array_alive(device: Any, write: Any) -> None:
    x = np.asfortranarray(np.zeros((1000, 1)))
    count = sys.getrefcount(x)
    w = write("rp", (1000, 1))
    a = w.load(x)
    w.store(a - ir.reduce(reducers.sum_("f64"), a)[0])
    kernel = w.kernel()
    (executable,) = device.provider.compile(CompileRequest(units=(kernel,)))
    slots = (*device.upload(x), *device.allocate(((1000, 1), "f64")))
    launch = Launch(executable, (0, 1), w.extents, tuple(w.addressing))
    device.provider.execute(ExecuteRequest(steps=(launch,), slots=slots))
    device.provider.free(FreeRequest(arrays=slots))
    w.inputs.clear()
    del a
    assert sys.getrefcount(x) == count
