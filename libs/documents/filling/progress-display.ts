import { SECOND_MS } from '#libs/kernel/clock.js';
import type { FillProgress, OnProgress } from './fill-progress.js';

const LINE_MS = 5 * SECOND_MS;
const PROGRESS_LABEL = 'Filling read models';

interface Log {
  info(details: object, message: string): void;
}

export interface ProgressDisplay {
  readonly onProgress: OnProgress;
  end(): void;
}

interface ProgressListener {
  reportProgress(progress: FillProgress): void;
}

/** Shows the progress of filling during startup: a bar on a terminal, else log lines. */
export function showProgress(log: Log, listener: ProgressListener): ProgressDisplay {
  const display = process.stderr.isTTY ? createProgressBar() : createProgressLog(log);
  const onProgress = (progress: FillProgress) => {
    listener.reportProgress(progress);
    display.onProgress(progress);
  };
  return { ...display, onProgress };
}

function createProgressLog(log: Log): ProgressDisplay {
  let loggedAt = -Infinity;
  const onProgress = (progress: FillProgress) => {
    if (performance.now() - loggedAt < LINE_MS) return;
    loggedAt = performance.now();
    log.info(progress, 'filling read models');
  };
  return { onProgress, end: () => undefined };
}

function createProgressBar(): ProgressDisplay {
  let show: (progress: FillProgress) => void = () => undefined;
  let end: () => void = () => undefined;
  const load = async () => {
    const { ProgressBars } = await import('#libs/terminal/progress-bars.js');
    const bars = new ProgressBars();
    const draw = bars.partBar(PROGRESS_LABEL);
    show = ({ events, of }) => draw(events, of);
    end = () => bars.end();
  };
  let loading: Promise<void> | null = null;
  const onProgress = (progress: FillProgress) => {
    loading ??= load();
    show(progress);
  };
  return { onProgress, end: () => void loading?.then(() => end()) };
}
