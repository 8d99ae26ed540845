// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import "./escrow-double.sol";

/// Collects the payer's tokens by EIP-3009. The nonce is the payment's hash with the payer left out.
abstract contract CollectorDouble is TokenCollector {
    error OnlyAuthCaptureEscrow();

    address private constant MULTICALL = 0xcA11bde05977b3631167028862bE2a173976CA11;
    /// Ends a signature of a wallet that is not deployed yet (ERC-6492).
    bytes32 private constant ERC6492_MAGIC = 0x6492649264926492649264926492649264926492649264926492649264926492;

    function authCaptureEscrow() public pure virtual returns (address);

    function collectorType() external pure returns (CollectorType) {
        return CollectorType.Payment;
    }

    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata data) external {
        if (msg.sender != authCaptureEscrow()) revert OnlyAuthCaptureEscrow();
        PaymentInfo memory unpaid = info;
        unpaid.payer = address(0);
        bytes32 nonce = EscrowDouble(authCaptureEscrow()).getHash(unpaid);
        bytes memory signature = _deploy(data);
        Erc3009(info.token).receiveWithAuthorization(
            info.payer, address(this), info.maxAmount, 0, info.preApprovalExpiry, nonce, signature
        );
        if (info.maxAmount > amount) Erc20(info.token).transfer(info.payer, info.maxAmount - amount);
        Erc20(info.token).transfer(store, amount);
    }

    /// Deploys the wallet of an ERC-6492 signature and returns the inner signature.
    function _deploy(bytes calldata data) private returns (bytes memory signature) {
        if (data.length < 32 || bytes32(data[data.length - 32:]) != ERC6492_MAGIC) return data;
        Multicall.Call[] memory calls = new Multicall.Call[](1);
        (calls[0].target, calls[0].callData, signature) =
            abi.decode(data[:data.length - 32], (address, bytes, bytes));
        Multicall(MULTICALL).tryAggregate(false, calls);
    }
}

contract CollectorDouble11 is CollectorDouble {
    function authCaptureEscrow() public pure override returns (address) {
        return 0xf96815976523E00e65Be8f34cA5e64b4f41EB19c;
    }
}

contract CollectorDouble10 is CollectorDouble {
    function authCaptureEscrow() public pure override returns (address) {
        return 0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff;
    }
}
