"""Starts the MongoDB server for tests and fixes a deadlock in it: the holder of its transaction list waited for a
statement that may wait for another transaction in that list."""

import sys

from secantus.cli import main
from secantus.transactions import TransactionRegistry, TxnState


def prune_locked(self: TransactionRegistry) -> int:
    """Ends transactions that are idle for too long, but not during a statement."""
    cutoff = self._time() - self._lifetime
    reaped = 0
    for txn in self._txns.values():
        if not txn.mutex.acquire(blocking=False):
            continue
        try:
            if txn.state is TxnState.IN_PROGRESS and txn.last_use < cutoff:
                self._rollback_quietly(txn)
                txn.state = TxnState.ABORTED
                reaped += 1
        finally:
            txn.mutex.release()
    return reaped


def abort_for_session(self: TransactionRegistry, lsid: bytes) -> None:
    """Waits for a running statement without locking the list."""
    with self._lock:
        txn = self._txns.get(lsid)
    if txn is not None:
        self.abort_in_progress(txn)


def on_retryable_write(self: TransactionRegistry, lsid: bytes, number: int) -> None:
    """Ends an older transaction of the session before a write outside of transactions."""
    with self._lock:
        older = self._txns.get(lsid)
        if older is not None and number > older.txn_number:
            self._txns.pop(lsid, None)
        else:
            older = None
        self._last_number[lsid] = max(number, self._last_number.get(lsid, 0))
    if older is not None:
        self.abort_in_progress(older)


TransactionRegistry._prune_locked = prune_locked
TransactionRegistry.abort_for_session = abort_for_session
TransactionRegistry.on_retryable_write = on_retryable_write
sys.exit(main())
