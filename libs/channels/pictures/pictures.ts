import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { etagOf } from '#libs/http/response-headers.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Path } from '#libs/kernel/page-paths.js';
import { type Card, renderSvg } from './card.js';
import { SvgRenderer } from './svg-renderer.js';
import { Font } from './font.js';

const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const CACHE_TTL_MS = 10 * MINUTE_MS;

export interface Picture {
  /** Depends only on the drawn content. */
  readonly etag: string;
  /** Refuses with `busy` while too many pictures are being drawn. */
  readonly png: () => Promise<Buffer>;
}

interface CachedPicture {
  readonly etag: string;
  readonly png: Buffer;
}

/**
 * Draws and caches pictures of pages. An erased text leaves the cache at the next request of its picture, or within ten
 * minutes.
 */
@Injectable()
export class Pictures implements OnModuleDestroy {
  private resources: { readonly font: Font; readonly renderer: SvgRenderer } | undefined;
  private readonly pending = new Map<string, Promise<Buffer>>();
  private readonly cache = new LRUCache<Path, CachedPicture>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ png }) => png.byteLength,
    ttl: CACHE_TTL_MS,
    ttlAutopurge: true,
  });

  /** `path`: the page of the picture. */
  of(path: Path, card: Card): Picture {
    const svg = renderSvg(card, this.loadedResources.font);
    const etag = etagOf(svg);
    return { etag, png: () => this.png(path, etag, svg) };
  }

  async onModuleDestroy(): Promise<void> {
    this.cache.clear();
    await this.resources?.renderer.stop();
  }

  /** Created for the first picture, because reading the font is slow. */
  private get loadedResources() {
    if (this.resources) return this.resources;
    const font = new Font();
    return (this.resources = { font, renderer: new SvgRenderer(font) });
  }

  private async png(path: Path, etag: string, svg: string): Promise<Buffer> {
    const cached = this.cache.get(path);
    if (cached?.etag === etag) return cached.png;
    this.cache.delete(path);
    const png = await this.renderOnce(etag, svg);
    this.cache.set(path, { etag, png });
    return png;
  }

  /** Concurrent requests of one picture share one rendering. */
  private renderOnce(etag: string, svg: string): Promise<Buffer> {
    const rendering =
      this.pending.get(etag) ?? this.loadedResources.renderer.render(svg).finally(() => this.pending.delete(etag));
    this.pending.set(etag, rendering);
    return rendering;
  }
}
