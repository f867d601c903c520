#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of a log as pandas data frames, by libevtlog's Arrow C stream, without pyarrow.

    from frames import frames
    slices = pandas.concat(frames("node1-1.evl", "sched_slice"))

For numbers and booleans that may be NULL, pandas uses doubles and objects. Here, a column with
missing values in a batch has the type Int64, Int32 or boolean instead. A table without rows is a
frame without rows.
"""
import ctypes
import os

import numpy
import pandas


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                  ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)),
                  ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
                   ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
                   ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))), ("private_data", ctypes.c_void_p)]


class Options(ctypes.Structure):
    """struct evtlog_arrow_options"""
    _fields_ = [("hosts", ctypes.c_void_p), ("file", ctypes.c_size_t), ("host", ctypes.c_char_p),
                ("from_ns", ctypes.c_uint64), ("to_ns", ctypes.c_uint64), ("first_id", ctypes.c_int64),
                ("batch_rows", ctypes.c_uint32)]


class Why(ctypes.Structure):
    """struct evtlog_error"""
    _fields_ = [("offset", ctypes.c_uint64), ("reason", ctypes.c_char * 200)]


# For each format, the type of numpy, and the type of pandas for values that may be missing
NUMBERS = {b"l": (numpy.int64, "Int64"), b"L": (numpy.uint64, "UInt64"), b"i": (numpy.int32, "Int32"),
           b"g": (numpy.float64, "Float64")}


def bits(address, count):
    packed = numpy.frombuffer(ctypes.string_at(address, (count + 7) // 8), numpy.uint8)
    return numpy.unpackbits(packed, count=count, bitorder="little").astype(bool)


def texts(array, rows):
    ends = numpy.frombuffer(ctypes.string_at(array.buffers[1], 4 * (rows + 1)), numpy.int32)
    data = ctypes.string_at(array.buffers[2], int(ends[-1]))
    return [data[begin:end].decode() for begin, end in zip(ends[:-1], ends[1:])]


def column(array, form):
    """Returns the values of a column as a pandas Series"""
    rows = array.length
    valid = bits(array.buffers[0], rows) if array.null_count and array.buffers[0] else numpy.ones(rows, bool)
    if form == b"u":
        return pandas.Series(texts(array, rows), dtype=object).where(valid, None)
    if form == b"b":
        values, nullable = bits(array.buffers[1], rows), "boolean"
    else:
        kind, nullable = NUMBERS[form]
        values = numpy.frombuffer(ctypes.string_at(array.buffers[1], rows * numpy.dtype(kind).itemsize), kind)
    return pandas.Series(values) if valid.all() else pandas.Series(values).astype(nullable).where(valid)


def check(error, what):
    if error:
        raise OSError(abs(error), f"{what}: {os.strerror(abs(error))}")


def batches(stream):
    schema, array = Schema(), Array()
    check(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)), "schema")
    names = [(schema.children[i].contents.name.decode(), schema.children[i].contents.format)
             for i in range(schema.n_children)]
    schema.release(ctypes.byref(schema))
    kinds = {b"u": object, b"b": bool, **{form: kind for form, (kind, _) in NUMBERS.items()}}
    frame = None
    while True:
        check(stream.get_next(ctypes.byref(stream), ctypes.byref(array)), "rows")
        if not array.release:
            break
        # The values are copies.
        frame = pandas.DataFrame({name: column(array.children[i].contents, form)
                                  for i, (name, form) in enumerate(names)})
        array.release(ctypes.byref(array))
        yield frame
    if frame is None:
        yield pandas.DataFrame({name: pandas.Series(dtype=kinds[form]) for name, form in names})


def frames(log, table, first_id=0, library="libevtlog.so.0"):
    """Yields a data frame for each batch of rows; different first_ids keep logs' threads apart."""
    evtlog = ctypes.CDLL(library)
    file, why, stream = ctypes.c_void_p(), Why(), Stream()
    if evtlog.evtlog_open(os.fsencode(log), ctypes.byref(file), ctypes.byref(why)):
        raise OSError(f"{log}: {why.reason.decode()}")
    try:
        check(evtlog.evtlog_arrow_stream(file, table.encode(), ctypes.byref(Options(first_id=first_id)),
                                         ctypes.byref(stream)), f"{log}: {table}")
        try:
            yield from batches(stream)
        finally:
            stream.release(ctypes.byref(stream))
    finally:
        evtlog.evtlog_close(file)
