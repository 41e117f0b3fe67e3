/** `std.random`, `std.time`, `std.env`, `std.io`, `std.fs`, `std.log`, `std.socket`. Backslashes of Pluto are doubled here. */
export const systemModules = {
  random: `extern fn __pluto_random_seed(seed: int)
extern fn __pluto_random_int() int
extern fn __pluto_random_float() float

pub fn seed(value: int) { __pluto_random_seed(value) }
pub fn next() int { return __pluto_random_int() }
pub fn between(low: int, high: int) int {
    let span = high - low + 1
    let rest = __pluto_random_int() % span
    if rest < 0 { return low + rest + span }
    return low + rest
}
pub fn decimal() float { return __pluto_random_float() }
pub fn decimal_between(low: float, high: float) float { return low + __pluto_random_float() * (high - low) }
pub fn coin() bool { return (__pluto_random_int() & 1) == 1 }
`,
  time: `extern fn __pluto_time_ns() int
extern fn __pluto_time_wall_ns() int
extern fn __pluto_time_sleep_ns(ns: int)

pub fn now() int { return __pluto_time_wall_ns() / 1_000_000 }
pub fn now_ns() int { return __pluto_time_wall_ns() }
pub fn monotonic() int { return __pluto_time_ns() / 1_000_000 }
pub fn monotonic_ns() int { return __pluto_time_ns() }
pub fn sleep(ms: int) { __pluto_time_sleep_ns(ms * 1_000_000) }
pub fn elapsed(start_ms: int) int { return monotonic() - start_ms }
`,
  env: `extern fn __pluto_env_get(name: string) string
extern fn __pluto_env_get_or(name: string, fallback: string) string
extern fn __pluto_env_set(name: string, value: string)
extern fn __pluto_env_exists(name: string) int
extern fn __pluto_env_list_names() [string]
extern fn __pluto_env_clear(name: string)

pub fn get(name: string) string { return __pluto_env_get(name) }
pub fn get_or(name: string, fallback: string) string { return __pluto_env_get_or(name, fallback) }
pub fn set(name: string, value: string) { __pluto_env_set(name, value) }
pub fn exists(name: string) bool { return __pluto_env_exists(name) != 0 }
pub fn list_names() [string] { return __pluto_env_list_names() }
pub fn remove(name: string) { __pluto_env_clear(name) }
`,
  io: `extern fn __pluto_print_string(text: string)
extern fn __pluto_print_string_no_newline(text: string)
extern fn __pluto_io_read_line() string

pub fn println(text: string) { __pluto_print_string(text) }
pub fn print(text: string) { __pluto_print_string_no_newline(text) }
pub fn read_line() string { return __pluto_io_read_line() }
`,
  fs: `pub error FileError { message: string }

extern fn __pluto_fs_strerror() string
extern fn __pluto_fs_open_read(path: string) int
extern fn __pluto_fs_open_write(path: string) int
extern fn __pluto_fs_open_append(path: string) int
extern fn __pluto_fs_close(fd: int) int
extern fn __pluto_fs_read(fd: int, max: int) string
extern fn __pluto_fs_write(fd: int, text: string) int
extern fn __pluto_fs_seek(fd: int, offset: int, whence: int) int
extern fn __pluto_fs_read_all(path: string) string
extern fn __pluto_fs_write_all(path: string, text: string) int
extern fn __pluto_fs_append_all(path: string, text: string) int
extern fn __pluto_fs_exists(path: string) int
extern fn __pluto_fs_file_size(path: string) int
extern fn __pluto_fs_is_dir(path: string) int
extern fn __pluto_fs_is_file(path: string) int
extern fn __pluto_fs_remove(path: string) int
extern fn __pluto_fs_mkdir(path: string) int
extern fn __pluto_fs_rmdir(path: string) int
extern fn __pluto_fs_rename(from: string, to: string) int
extern fn __pluto_fs_copy(from: string, to: string) int
extern fn __pluto_fs_list_dir(path: string) [string]
extern fn __pluto_fs_temp_dir() string
extern fn __pluto_fs_seek_set() int
extern fn __pluto_fs_seek_cur() int
extern fn __pluto_fs_seek_end() int

fn done(result: int) int {
    if result < 0 { raise FileError { message: __pluto_fs_strerror() } }
    return result
}

pub class File {
    fd: int

    fn read(self, max: int) string { return __pluto_fs_read(self.fd, max) }
    fn write(self, text: string) int { return done(__pluto_fs_write(self.fd, text))! }
    fn seek(self, offset: int, whence: int) int { return done(__pluto_fs_seek(self.fd, offset, whence))! }
    fn close(self) { done(__pluto_fs_close(self.fd))! }
}

pub fn open_read(path: string) File { return File { fd: done(__pluto_fs_open_read(path))! } }
pub fn open_write(path: string) File { return File { fd: done(__pluto_fs_open_write(path))! } }
pub fn open_append(path: string) File { return File { fd: done(__pluto_fs_open_append(path))! } }
pub fn read_all(path: string) string {
    if __pluto_fs_is_file(path) == 0 { raise FileError { message: f"cannot read {path}" } }
    return __pluto_fs_read_all(path)
}
pub fn write_all(path: string, text: string) { done(__pluto_fs_write_all(path, text))! }
pub fn append_all(path: string, text: string) { done(__pluto_fs_append_all(path, text))! }
pub fn exists(path: string) bool { return __pluto_fs_exists(path) != 0 }
pub fn file_size(path: string) int { return done(__pluto_fs_file_size(path))! }
pub fn is_dir(path: string) bool { return __pluto_fs_is_dir(path) != 0 }
pub fn is_file(path: string) bool { return __pluto_fs_is_file(path) != 0 }
pub fn remove(path: string) { done(__pluto_fs_remove(path))! }
pub fn mkdir(path: string) { done(__pluto_fs_mkdir(path))! }
pub fn rmdir(path: string) { done(__pluto_fs_rmdir(path))! }
pub fn rename(from: string, to: string) { done(__pluto_fs_rename(from, to))! }
pub fn copy(from: string, to: string) { done(__pluto_fs_copy(from, to))! }
pub fn list_dir(path: string) [string] {
    if __pluto_fs_is_dir(path) == 0 { raise FileError { message: f"cannot list {path}" } }
    return __pluto_fs_list_dir(path)
}
pub fn temp_dir() string { return __pluto_fs_temp_dir() }
pub fn SEEK_SET() int { return __pluto_fs_seek_set() }
pub fn SEEK_CUR() int { return __pluto_fs_seek_cur() }
pub fn SEEK_END() int { return __pluto_fs_seek_end() }
`,
  log: `extern fn __pluto_log_get_level() int
extern fn __pluto_log_set_level(level: int)
extern fn __pluto_log_write(level: int, text: string)

pub enum Level { Debug Info Warn Error }

fn rank(level: Level) int {
    return match level { Level.Debug => 0, Level.Info => 1, Level.Warn => 2, Level.Error => 3 }
}

pub fn set_level(level: Level) { __pluto_log_set_level(rank(level)) }
pub fn get_level() Level {
    let level = __pluto_log_get_level()
    if level == 0 { return Level.Debug }
    if level == 1 { return Level.Info }
    if level == 2 { return Level.Warn }
    return Level.Error
}

fn write(level: Level, text: string) {
    if rank(level) >= __pluto_log_get_level() { __pluto_log_write(rank(level), text) }
}

pub fn debug(message: string) { write(Level.Debug, message) }
pub fn info(message: string) { write(Level.Info, message) }
pub fn warn(message: string) { write(Level.Warn, message) }
pub fn log_error(message: string) { write(Level.Error, message) }
`,
  socket: `extern fn __pluto_socket_create(domain: int, kind: int, protocol: int) int
extern fn __pluto_socket_bind(fd: int, host: string, port: int) int
extern fn __pluto_socket_listen(fd: int, backlog: int) int
extern fn __pluto_socket_accept(fd: int) int
extern fn __pluto_socket_connect(fd: int, host: string, port: int) int
extern fn __pluto_socket_read(fd: int, max: int) string
extern fn __pluto_socket_write(fd: int, text: string) int
extern fn __pluto_socket_close(fd: int) int
extern fn __pluto_socket_set_reuseaddr(fd: int) int
extern fn __pluto_socket_get_port(fd: int) int

pub fn create(domain: int, kind: int, protocol: int) int { return __pluto_socket_create(domain, kind, protocol) }
pub fn bind(fd: int, host: string, port: int) int { return __pluto_socket_bind(fd, host, port) }
pub fn listen(fd: int, backlog: int) int { return __pluto_socket_listen(fd, backlog) }
pub fn accept(fd: int) int { return __pluto_socket_accept(fd) }
pub fn connect(fd: int, host: string, port: int) int { return __pluto_socket_connect(fd, host, port) }
pub fn read(fd: int, max: int) string { return __pluto_socket_read(fd, max) }
pub fn write(fd: int, text: string) int { return __pluto_socket_write(fd, text) }
pub fn close(fd: int) int { return __pluto_socket_close(fd) }
pub fn set_reuseaddr(fd: int) int { return __pluto_socket_set_reuseaddr(fd) }
pub fn get_port(fd: int) int { return __pluto_socket_get_port(fd) }
`,
} as const;
