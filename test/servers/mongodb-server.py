"""Starts the MongoDB server for tests, without a deadlock that it has in itself: whoever held its list of transactions
waited there for a statement of one of them, which may wait for another one that only this list can end."""

import sys

from secantus.cli import main
from secantus.transactions import TransactionRegistry, TxnState


def prune_locked(self: TransactionRegistry) -> int:
    """Ends transactions that are idle for too long. One whose statement runs is not idle."""
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
    """Waits for the statement that runs, if any, while others use the list."""
    with self._lock:
        txn = self._txns.get(lsid)
    if txn is not None:
        self.abort_in_progress(txn)


def on_retryable_write(self: TransactionRegistry, lsid: bytes, number: int) -> None:
    """A write outside of transactions ends an older one of its session."""
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
