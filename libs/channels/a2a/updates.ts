import type { Artifact, StreamResponse, Task } from '@a2a-js/sdk';

/** Updates for streams and push notifications (A2A 1.0, 3.2.3). */

export const wholeTask = (task: Task): StreamResponse => ({ payload: { $case: 'task', value: task } });

export const statusUpdate = ({ id: taskId, contextId, status, metadata }: Task): StreamResponse => ({
  payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } },
});

/** Sends a complete artifact in one update. */
export const artifactUpdate = ({ id: taskId, contextId }: Task, artifact: Artifact): StreamResponse => ({
  payload: {
    $case: 'artifactUpdate',
    value: { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined },
  },
});
