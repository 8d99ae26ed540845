import type { FastifyInstance } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';

interface NamedRoute {
  readonly method: string;
  readonly path: RegExp;
}

const pathOf = (url: string) => url.split('?', 1)[0]!;

export class RouteIndex {
  private readonly methodsOf = new Map<string, Set<string>>();
  private readonly named: NamedRoute[] = [];

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ method, url }) => {
      if (url.includes('*')) return;
      const methods = [method].flat().filter(each => each !== 'HEAD' && each !== 'OPTIONS');
      if (url.includes(':')) {
        const path = new RegExp(`^${url.replace(/[.+]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`);
        for (const method of methods) this.named.push({ method, path });
      } else this.methodsOf.set(url, new Set([...(this.methodsOf.get(url) ?? []), ...methods]));
    });
  }

  /** Whether a route with a path parameter matched a fixed path of other methods. */
  isShadowedByName(url: string, route: string | undefined): boolean {
    return route !== undefined && route.includes(':') && this.methodsOf.has(pathOf(url));
  }

  refusalOf(url: string): Refusal {
    const path = pathOf(url);
    const named = () => new Set(this.named.filter(route => route.path.test(path)).map(({ method }) => method));
    const methods = [...(this.methodsOf.get(path) ?? named())];
    if (methods.length === 0) return new Refusal('unknown_endpoint', 'This endpoint does not exist.');
    return new Refusal('method_not_allowed', `Use ${methods.join(' or ')} here.`, {
      headers: { allow: methods.join(', ') },
    });
  }
}
