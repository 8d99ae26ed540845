// Archives with fixed times, owners and modes, so that equal files give equal bytes.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const BLOCK = 512;
/** The time that npm gives to packed files, and the earliest time of a zip. */
const TAR_SECONDS = 499_162_500;
const ZIP_DATE = 0x21;
const ZIP_VERSION = 20;
const ZIP_MADE_BY_UNIX = 0x314;
const DEFLATED = 8;
const LEVEL = { level: 9 };

const octal = (number, digits) => number.toString(8).padStart(digits, '0');

/** `files`: content by path, at most 100 ASCII characters. */
export function tgzOf(files) {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [tarHeader(path, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), LEVEL);
}

function tarHeader(path, size) {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 100);
  const [mode, owner, group] = [octal(0o644, 7), octal(0, 7), octal(0, 7)];
  header.write(`${mode}\0${owner}\0${group}\0${octal(size, 11)} ${octal(TAR_SECONDS, 11)} ${' '.repeat(8)}0`, 100);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** `files`: content by path. */
export function zipOf(files) {
  const [entries, directory] = [[], []];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, LEVEL);
    const [name, sizes] = [Buffer.from(path), words32(crc32(bytes), packed.length, bytes.length)];
    const described = [words16(ZIP_VERSION, 0, DEFLATED, 0, ZIP_DATE), sizes, words16(name.length, 0)];
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), ...described, name, packed]);
    const attributes = [words16(0, 0, 0), words32(0o100644 * 0x10000, offset)];
    directory.push(Buffer.from('PK\x01\x02'), words16(ZIP_MADE_BY_UNIX), ...described, ...attributes, name);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const end = [words16(0, 0, entries.length, entries.length), words32(listed.length, offset), words16(0)];
  return Buffer.concat([...entries, listed, Buffer.from('PK\x05\x06'), ...end]);
}

const words16 = (...numbers) => Buffer.from(Uint16Array.from(numbers).buffer);
const words32 = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
