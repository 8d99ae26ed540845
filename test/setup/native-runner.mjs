/**
 * Runs spec files in the worker process itself instead of a sandbox. A sandbox loads the product and its packages again
 * for each file, which is most of the time of a file; here each worker loads them once.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import circusRunner from 'jest-circus/runner';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { findSourceMap } from './compile.mjs';
import { endEarlierStorages } from './async-storages.mjs';

const STACK_FRAMES_MAX = 20;
/** Holds the event handlers of `jest-circus`, which adds its own again for each file. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

const require = createRequire(import.meta.url);
register('./typescript-hooks.mjs', import.meta.url);

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: options => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: ms => timers.advanceTimersByTime(ms),
};

export default async function runNatively(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const before = { env: { ...process.env }, console: globalThis.console, fetch: globalThis.fetch };
  globalThis.console = environment.global.console;
  delete globalThis[HANDLERS];
  Error.stackTraceLimit = STACK_FRAMES_MAX;
  runtime.requireInternalModule = loadAgain;
  runtime.setGlobalsForRuntime = globals => void (globalThis.jestGlobals = { ...globals, jest });
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = path => import(`${pathToFileURL(path).href}?run=${(runs += 1)}`);
  runtime.getSourceMaps().get = findSourceMap;
  try {
    return await circusRunner.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  } finally {
    timers.useRealTimers();
    mocker.restoreAllMocks();
    endEarlierStorages();
    globalThis.console = before.console;
    globalThis.fetch = before.fetch;
    restoreEnvironment(before.env);
  }
}

let runs = 0;

/** Loads a module of `jest-circus` with new state. */
function loadAgain(path) {
  delete require.cache[path];
  return require(path);
}

function restoreEnvironment(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
