// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./token-double.sol";

interface Erc1271 {
    function isValidSignature(bytes32 digest, bytes memory signature) external view returns (bytes4);
}

/// Like USDC on Base: reverts with strings, also for a second use of an authorization. Takes signatures as bytes, and
/// asks a signer that has code (ERC-1271), EIP-7702 accounts included.
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

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        Authorization memory a = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(a, TRANSFER_WITH_AUTHORIZATION_TYPEHASH, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        Authorization memory a = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(a, RECEIVE_WITH_AUTHORIZATION_TYPEHASH, signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) external {
        _cancel(authorizer, nonce, signature);
    }

    function _accepts(address signer, bytes32 digest, bytes memory signature) internal view override returns (bool) {
        if (signer.code.length == 0) return _hasSigned(signer, digest, signature);
        bytes memory question = abi.encodeCall(Erc1271.isValidSignature, (digest, signature));
        (bool answered, bytes memory answer) = signer.staticcall(question);
        return answered && answer.length >= 32 && bytes32(answer) == bytes32(Erc1271.isValidSignature.selector);
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
