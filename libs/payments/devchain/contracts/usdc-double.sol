// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./token-double.sol";

/// Like USDC on Base: reverts with strings, also for a second use of an authorization.
contract UsdcDouble is TokenDouble {
    function name() public pure override returns (string memory) {
        return "USD Coin";
    }

    function symbol() external pure override returns (string memory) {
        return "USDC";
    }

    function version() public pure override returns (string memory) {
        return "2";
    }

    function _refuseBalance() internal pure override {
        revert("ERC20: transfer amount exceeds balance");
    }

    function _refuseAllowance() internal pure override {
        revert("ERC20: transfer amount exceeds allowance");
    }

    function _refuseSignature() internal pure override {
        revert("FiatTokenV2: invalid signature");
    }

    function _refuseCaller() internal pure override {
        revert("FiatTokenV2: caller must be the payee");
    }

    function _open(Authorization memory a) internal view override returns (bool) {
        require(block.timestamp > a.validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < a.validBefore, "FiatTokenV2: authorization is expired");
        _requireUnused(a.from, a.nonce);
        return true;
    }

    function _requireUnused(address authorizer, bytes32 nonce) internal view override {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
    }
}
