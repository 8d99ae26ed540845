import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const FILE = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
/** OpenType 1.9, "Table directory". */
const DIRECTORY_OFFSET = 12;
const DIRECTORY_ENTRY_BYTES = 16;
/** Platform 3, encoding 10, format 12 of `cmap` covers all of Unicode. */
const WINDOWS_UNICODE = 0x0003_000a;
const GROUP_BYTES = 12;

/** Reads which characters the font has, and their widths. */
export class Font {
  readonly file = FILE;
  readonly family = 'DejaVu Sans';
  private readonly bytes = readFileSync(FILE);
  private readonly glyphs = this.glyphsOf(this.table('cmap'));
  private readonly unitsPerEm = this.bytes.readUInt16BE(this.table('head') + 18);
  private readonly widths = this.table('hmtx');
  private readonly widthCount = this.bytes.readUInt16BE(this.table('hhea') + 34);

  hasAll(text: string): boolean {
    return [...text].every(character => this.glyphOf(character) !== 0);
  }

  /** Width in ems, without kerning. */
  widthOf(text: string): number {
    const units = [...text].reduce((sum, character) => sum + this.advanceOf(this.glyphOf(character)), 0);
    return units / this.unitsPerEm;
  }

  private advanceOf(glyph: number): number {
    return this.bytes.readUInt16BE(this.widths + 4 * Math.min(glyph, this.widthCount - 1));
  }

  /** Returns 0 for a missing character. */
  private glyphOf(character: string): number {
    return this.glyphs.get(character.codePointAt(0)!) ?? 0;
  }

  private table(tag: string): number {
    const count = this.bytes.readUInt16BE(4);
    for (let index = 0; index < count; index += 1) {
      const entry = DIRECTORY_OFFSET + index * DIRECTORY_ENTRY_BYTES;
      if (this.bytes.toString('latin1', entry, entry + 4) === tag) return this.bytes.readUInt32BE(entry + 8);
    }
    throw new Error(`The font has no table ${tag}.`);
  }

  private glyphsOf(cmap: number): ReadonlyMap<number, number> {
    const count = this.bytes.readUInt16BE(cmap + 2);
    const entries = Array.from({ length: count }, (_, index) => cmap + 4 + 8 * index);
    const entry = entries.find(each => this.bytes.readUInt32BE(each) === WINDOWS_UNICODE);
    if (entry === undefined) throw new Error('The font has no full Unicode table.');
    const subtable = cmap + this.bytes.readUInt32BE(entry + 4);
    const groups = Array.from({ length: this.bytes.readUInt32BE(subtable + 12) }, (_, index) =>
      this.groupAt(subtable + 16 + index * GROUP_BYTES),
    );
    return new Map(groups.flat());
  }

  /** A group maps consecutive characters to consecutive glyphs. */
  private groupAt(at: number): [number, number][] {
    const first = this.bytes.readUInt32BE(at);
    const last = this.bytes.readUInt32BE(at + 4);
    const glyph = this.bytes.readUInt32BE(at + 8);
    return Array.from({ length: last - first + 1 }, (_, index) => [first + index, glyph + index]);
  }
}
