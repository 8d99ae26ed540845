interface PanelProps {
  /** Shown until the script has run. */
  readonly status: string;
  /** Completes "To ... here, join first" for readers without a key; by default "act". */
  readonly purpose?: string;
  /** Shown to readers without a key if there is no reason to join. */
  readonly closed?: string;
}

/** `scripts/paying/panel.ts` shows progress here and adds the parts that ask for payments. */
export const PaymentPanel = ({ status, purpose = 'act', closed }: PanelProps) => (
  <div class="paying">
    <p id="paying-state" role="status" tabIndex={-1} data-purpose={purpose} {...(closed && { 'data-closed': closed })}>
      {status}
    </p>
  </div>
);
