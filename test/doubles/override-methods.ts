/** Replaces methods of an object. Each replacement gets the original object first. */
export function overrideMethods<T extends object>(
  real: T,
  methods: { readonly [name: string]: (real: T, ...args: never[]) => unknown },
): T {
  return new Proxy(real, {
    get(target, name) {
      const replaced = methods[String(name)];
      if (replaced) return (...args: never[]) => replaced(target, ...args);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
