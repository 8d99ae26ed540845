// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./token-double.sol";

/// Like USDG: reverts with custom errors, but a second use of an authorization only emits an event. A successful
/// transaction therefore does not prove a payment. Only recovers signers, so contract wallets cannot pay.
contract UsdgDouble is TokenDouble {
    event AuthorizationAlreadyUsed(address indexed authorizer, bytes32 indexed nonce);

    error AuthorizationInvalid();
    error AuthorizationExpired();
    error InvalidSignature();
    error InsufficientFunds();
    error InsufficientAllowance();

    function name() public pure override returns (string memory) {
        return "Global Dollar";
    }

    function symbol() external pure override returns (string memory) {
        return "USDG";
    }

    function version() public pure override returns (string memory) {
        return "1";
    }

    function _accepts(address signer, bytes32 digest, bytes memory signature) internal pure override returns (bool) {
        return _hasSigned(signer, digest, signature);
    }

    function _refuseBalance() internal pure override {
        revert InsufficientFunds();
    }

    function _refuseAllowance() internal pure override {
        revert InsufficientAllowance();
    }

    function _refuseSignature() internal pure override {
        revert InvalidSignature();
    }

    function _open(Authorization memory a) internal override returns (bool) {
        if (block.timestamp <= a.validAfter) revert AuthorizationInvalid();
        if (block.timestamp >= a.validBefore) revert AuthorizationExpired();
        bool used = authorizationState[a.from][a.nonce];
        if (used) emit AuthorizationAlreadyUsed(a.from, a.nonce);
        return !used;
    }

    function _requireUnused(address authorizer, bytes32 nonce) internal view override {
        if (authorizationState[authorizer][nonce]) revert AuthorizationInvalid();
    }
}
