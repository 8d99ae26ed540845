/** `@jest/globals` of the spec file that runs now. A module that is loaded once serves many files. */
const delegate = name =>
  new Proxy(function () {}, {
    apply: (_target, _self, given) => globalThis.jestGlobals[name](...given),
    get: (_target, member) => globalThis.jestGlobals[name][member],
  });

export const expect = delegate('expect');
export const test = delegate('test');
export const it = delegate('it');
export const describe = delegate('describe');
export const beforeAll = delegate('beforeAll');
export const beforeEach = delegate('beforeEach');
export const afterAll = delegate('afterAll');
export const afterEach = delegate('afterEach');
export const jest = delegate('jest');
