import type { FastifyInstance } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';

interface Known {
  readonly method: string;
  readonly path: RegExp;
}

/** Tells a path that does not exist from one that exists with another method. */
export class Routing {
  private readonly known: Known[] = [];

  /** To be called before the routes are added. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ method, url }) => {
      if (url.includes('*')) return;
      const path = new RegExp(`^${url.replace(/[.+]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`);
      for (const each of [method].flat())
        if (each !== 'HEAD' && each !== 'OPTIONS') this.known.push({ method: each, path });
    });
  }

  /** Why no route took a request. */
  refusalOf(url: string): Refusal {
    const path = url.split('?')[0]!;
    const methods = [...new Set(this.known.filter(route => route.path.test(path)).map(({ method }) => method))];
    if (methods.length === 0) return new Refusal('unknown_endpoint', 'There is no such endpoint.');
    return new Refusal('method_not_allowed', `Use ${methods.join(' or ')} here.`, {
      headers: { allow: methods.join(', ') },
    });
  }
}
