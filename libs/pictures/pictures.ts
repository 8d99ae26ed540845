import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { etagOf } from '#libs/http/etag.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Card, svgOf } from './card.js';
import { Drawing } from './drawing.js';
import { Font } from './font.js';

/** What is kept of drawn pictures, those that were asked for last: together, and for how long. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const KEPT_MS = 10 * MINUTE_MS;

export interface Picture {
  readonly png: Buffer;
  /** Of what it says: it changes with the documents that it is made of, and with nothing else. */
  readonly etag: string;
}

/**
 * Pictures of pages, each kept while what it says stays the same. What was erased is drawn over when the picture is next
 * asked for, and otherwise leaves the memory within ten minutes.
 */
@Injectable()
export class Pictures implements OnModuleDestroy {
  private readonly font = new Font();
  private readonly drawing = new Drawing(this.font);
  private readonly drawn = new Map<string, Promise<Buffer>>();
  private readonly kept = new LRUCache<string, Picture>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ png }) => png.byteLength,
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });

  /** The etag of what a card says, for who has the picture already. */
  etagOf(card: Card): string {
    return etagOf(svgOf(card, this.font));
  }

  /** `path`: of the page that it is a picture of. */
  async of(path: string, card: Card): Promise<Picture> {
    const svg = svgOf(card, this.font);
    const etag = etagOf(svg);
    const kept = this.kept.get(path);
    if (kept?.etag === etag) return kept;
    this.kept.delete(path);
    const picture = { png: await this.once(etag, svg), etag };
    this.kept.set(path, picture);
    return picture;
  }

  async onModuleDestroy(): Promise<void> {
    this.kept.clear();
    await this.drawing.stop();
  }

  /** Whoever asks for the same at one moment waits for one drawing. */
  private once(etag: string, svg: string): Promise<Buffer> {
    const drawing = this.drawn.get(etag) ?? this.drawing.draw(svg).finally(() => this.drawn.delete(etag));
    this.drawn.set(etag, drawing);
    return drawing;
  }
}
