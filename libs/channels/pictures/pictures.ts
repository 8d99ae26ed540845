import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { etagOf } from '#libs/http/etag.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Path } from '#libs/kernel/page-paths.js';
import { type Card, svgOf } from './card.js';
import { Drawing } from './drawing.js';
import { Font } from './font.js';

/** What is kept of drawn pictures, those that were asked for last: together, and for how long. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const KEPT_MS = 10 * MINUTE_MS;

export interface Picture {
  /** Of what it says: it changes with the documents that it is made of, and with nothing else. */
  readonly etag: string;
  /** Refuses with `busy` where too many are being drawn. */
  readonly png: () => Promise<Buffer>;
}

interface Kept {
  readonly etag: string;
  readonly png: Buffer;
}

/**
 * Pictures of pages, each kept while what it says stays the same. What was erased is drawn over when the picture is next
 * asked for, and otherwise leaves the memory within ten minutes.
 */
@Injectable()
export class Pictures implements OnModuleDestroy {
  private made: { readonly font: Font; readonly drawing: Drawing } | undefined;
  private readonly drawn = new Map<string, Promise<Buffer>>();
  private readonly kept = new LRUCache<Path, Kept>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ png }) => png.byteLength,
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });

  /** `path`: of the page that it is a picture of. */
  of(path: Path, card: Card): Picture {
    const svg = svgOf(card, this.means.font);
    const etag = etagOf(svg);
    return { etag, png: () => this.png(path, etag, svg) };
  }

  async onModuleDestroy(): Promise<void> {
    this.kept.clear();
    await this.made?.drawing.stop();
  }

  /** Made for the first picture: a font takes a while to read. */
  private get means() {
    if (this.made) return this.made;
    const font = new Font();
    return (this.made = { font, drawing: new Drawing(font) });
  }

  private async png(path: Path, etag: string, svg: string): Promise<Buffer> {
    const kept = this.kept.get(path);
    if (kept?.etag === etag) return kept.png;
    this.kept.delete(path);
    const png = await this.once(etag, svg);
    this.kept.set(path, { etag, png });
    return png;
  }

  /** Whoever asks for the same at one moment waits for one drawing. */
  private once(etag: string, svg: string): Promise<Buffer> {
    const drawing = this.drawn.get(etag) ?? this.means.drawing.draw(svg).finally(() => this.drawn.delete(etag));
    this.drawn.set(etag, drawing);
    return drawing;
  }
}
