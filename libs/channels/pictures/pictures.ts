import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { etagOf } from '#libs/http/etag.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Path } from '#libs/kernel/page-paths.js';
import { type Card, renderSvg } from './card.js';
import { SvgRenderer } from './svg-renderer.js';
import { Font } from './font.js';

/** What is kept of drawn pictures, those that were asked for last: together, and for how long. */
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const CACHE_TTL_MS = 10 * MINUTE_MS;

export interface Picture {
  /** Of what it says: it changes with the documents that it is made of, and with nothing else. */
  readonly etag: string;
  /** Refuses with `busy` where too many are being drawn. */
  readonly png: () => Promise<Buffer>;
}

interface CachedPicture {
  readonly etag: string;
  readonly png: Buffer;
}

/**
 * Pictures of pages, each kept while what it says stays the same. What was erased is drawn over when the picture is next
 * asked for, and otherwise leaves the memory within ten minutes.
 */
@Injectable()
export class Pictures implements OnModuleDestroy {
  private resources: { readonly font: Font; readonly drawing: SvgRenderer } | undefined;
  private readonly pending = new Map<string, Promise<Buffer>>();
  private readonly cache = new LRUCache<Path, CachedPicture>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ png }) => png.byteLength,
    ttl: CACHE_TTL_MS,
    ttlAutopurge: true,
  });

  /** `path`: of the page that it is a picture of. */
  of(path: Path, card: Card): Picture {
    const svg = renderSvg(card, this.loadedResources.font);
    const etag = etagOf(svg);
    return { etag, png: () => this.png(path, etag, svg) };
  }

  async onModuleDestroy(): Promise<void> {
    this.cache.clear();
    await this.resources?.drawing.stop();
  }

  /** Made for the first picture: a font takes a while to read. */
  private get loadedResources() {
    if (this.resources) return this.resources;
    const font = new Font();
    return (this.resources = { font, drawing: new SvgRenderer(font) });
  }

  private async png(path: Path, etag: string, svg: string): Promise<Buffer> {
    const kept = this.cache.get(path);
    if (kept?.etag === etag) return kept.png;
    this.cache.delete(path);
    const png = await this.renderOnce(etag, svg);
    this.cache.set(path, { etag, png });
    return png;
  }

  /** Whoever asks for the same at one moment waits for one drawing. */
  private renderOnce(etag: string, svg: string): Promise<Buffer> {
    const drawing =
      this.pending.get(etag) ?? this.loadedResources.drawing.render(svg).finally(() => this.pending.delete(etag));
    this.pending.set(etag, drawing);
    return drawing;
  }
}
