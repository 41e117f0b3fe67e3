// Replaces the native module @vscode/spdlog in the copy of code-server: VS Code writes its log files and the output channels of extensions
// with it, and would show empty ones without it. Appends immediately, and never rotates, because tests log little.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #least = 2;
  #isBare = false;

  constructor(_type, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
  }

  #write(level, message) {
    if (level < this.#least) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.#file, this.#isBare ? message : `${time} [${levels[level]}] ${message}\n`);
  }

  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#least;
  }
  setLevel(level) {
    this.#least = level;
  }
  setPattern() {
    this.#isBare = false;
  }
  clearFormatters() {
    this.#isBare = true;
  }
  flush() {}
  drop() {}
}

const create = async (name, file) => new Logger('rotating_async', name, file);

// One by one, because that is how an importing ES module finds their names.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
