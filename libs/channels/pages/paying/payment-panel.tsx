/** Where a page's script says how a request goes, and asks its reader for money (libs/channels/pages/scripts/paying). */
export const PaymentPanel = ({ said }: { readonly said: string }) => (
  <div class="paying">
    <p id="paying-state" role="status">
      {said}
    </p>
    <div id="paying-asked" hidden>
      <dl class="facts" id="paying-offer" />
      <label id="paying-wallets">
        Pay with <select id="paying-wallet" />
      </label>
    </div>
    <p id="paying-buttons" hidden>
      <button id="paying-yes" type="button" /> <button id="paying-no" type="button" />
    </p>
  </div>
);
