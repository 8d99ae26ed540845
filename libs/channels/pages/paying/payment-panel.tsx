/** Controlled by libs/channels/pages/scripts/paying, which shows progress and asks for payments here. */
export const PaymentPanel = ({ status }: { readonly status: string }) => (
  <div class="paying">
    <p id="paying-state" role="status" tabIndex={-1}>
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
