# What differs from run to run in lines of --progress: rows a second as R, memory as N, time as T.
exec sed -E 's#[0-9.]+[kMG]? rows/s#R rows/s#; s#[0-9.]+ [KM]?i?B of state#N of state#; s#(of state, )([0-9]+m?s)+#\1T#'
