interface PanelProps {
  /** Shown until the script has run. */
  readonly status: string;
  /** Completes "To ... here, join first" for readers without a key; by default "act". */
  readonly purpose?: string;
  /** Shown to readers without a key if there is no reason to join. */
  readonly closed?: string;
}

/** Controlled by libs/channels/pages/scripts/paying, which shows progress and asks for payments here. */
export const PaymentPanel = ({ status, purpose = 'act', closed }: PanelProps) => (
  <div class="paying">
    <p id="paying-state" role="status" tabIndex={-1} data-purpose={purpose} {...(closed && { 'data-closed': closed })}>
      {status}
    </p>
    <div id="paying-asked" hidden>
      <dl class="facts" id="paying-offer" />
      <label id="paying-wallets">
        Pay with <select id="paying-wallet" />
      </label>
    </div>
    <p id="paying-buttons" hidden>
      <button id="paying-yes" type="button" class="main" /> <button id="paying-no" type="button" />
    </p>
  </div>
);
