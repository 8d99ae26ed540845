// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

struct PaymentInfo {
    address operator;
    address payer;
    address receiver;
    address token;
    uint120 maxAmount;
    uint48 preApprovalExpiry;
    uint48 authorizationExpiry;
    uint48 refundExpiry;
    uint16 minFeeBps;
    uint16 maxFeeBps;
    address feeReceiver;
    uint256 salt;
}

interface Erc20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

interface Erc3009 is Erc20 {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;
}

interface Multicall {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external returns (Result[] memory);
}

enum CollectorType {
    Payment,
    Refund
}

interface TokenCollector {
    function collectorType() external view returns (CollectorType);
    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata data) external;
}

/// Holds the tokens of one operator.
contract TokenStoreDouble {
    error OnlyAuthCaptureEscrow();

    address public immutable authCaptureEscrow = msg.sender;

    function sendTokens(address token, address recipient, uint256 amount) external returns (bool) {
        if (msg.sender != authCaptureEscrow) revert OnlyAuthCaptureEscrow();
        return Erc20(token).transfer(recipient, amount);
    }
}

/// Escrow of the Base Commerce Payments Protocol: interface, errors and order of logs of both versions, whose `capture`
/// and `charge` differ. The code is placed at an address without running a constructor.
abstract contract EscrowDouble {
    struct PaymentState {
        bool hasCollectedPayment;
        uint120 capturableAmount;
        uint120 refundableAmount;
    }

    event PaymentAuthorized(
        bytes32 indexed paymentInfoHash, PaymentInfo paymentInfo, uint256 amount, address tokenCollector
    );
    event PaymentVoided(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentReclaimed(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentRefunded(bytes32 indexed paymentInfoHash, uint256 amount, address tokenCollector);
    event TokenStoreCreated(address indexed operator, address tokenStore);

    error InvalidSender(address sender, address expected);
    error ZeroAmount();
    error AmountOverflow(uint256 amount, uint256 limit);
    error ExceedsMaxAmount(uint256 amount, uint256 maxAmount);
    error AfterPreApprovalExpiry(uint48 timestamp, uint48 expiry);
    error InvalidExpiries(uint48 preApproval, uint48 authorization, uint48 refund);
    error FeeBpsOverflow(uint16 feeBps);
    error InvalidFeeBpsRange(uint16 minFeeBps, uint16 maxFeeBps);
    error ZeroFeeReceiver();
    error InvalidFeeReceiver(address attempted, address expected);
    error InvalidCollectorForOperation();
    error TokenCollectionFailed();
    error PaymentAlreadyCollected(bytes32 paymentInfoHash);
    error AfterAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error InsufficientAuthorization(bytes32 paymentInfoHash, uint256 authorizedAmount, uint256 requestedAmount);
    error ZeroAuthorization(bytes32 paymentInfoHash);
    error BeforeAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error AfterRefundExpiry(uint48 timestamp, uint48 expiry);
    error RefundExceedsCapture(uint256 refund, uint256 captured);
    error ReentrancyGuardReentrantCall();

    bytes32 public constant PAYMENT_INFO_TYPEHASH = keccak256(
        "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)"
    );
    uint16 internal constant BPS_MAX = 10_000;

    mapping(bytes32 => PaymentState) public paymentState;
    bool private entered;

    modifier guarded(address sender) {
        if (entered) revert ReentrancyGuardReentrantCall();
        if (msg.sender != sender) revert InvalidSender(msg.sender, sender);
        entered = true;
        _;
        entered = false;
    }

    modifier validAmount(uint256 amount) {
        if (amount == 0) revert ZeroAmount();
        if (amount > type(uint120).max) revert AmountOverflow(amount, type(uint120).max);
        _;
    }

    function authorize(PaymentInfo calldata info, uint256 amount, address tokenCollector, bytes calldata collectorData)
        external
        guarded(info.operator)
        validAmount(amount)
    {
        bytes32 hash = _begin(info, amount);
        paymentState[hash] = PaymentState(true, uint120(amount), 0);
        emit PaymentAuthorized(hash, info, amount, tokenCollector);
        _collect(info, amount, tokenCollector, collectorData, CollectorType.Payment);
    }

    function void(PaymentInfo calldata info) external guarded(info.operator) {
        (bytes32 hash, uint256 amount) = _takeCapturable(info);
        emit PaymentVoided(hash, amount);
        _send(info.operator, info.token, info.payer, amount);
    }

    function reclaim(PaymentInfo calldata info) external guarded(info.payer) {
        if (block.timestamp < info.authorizationExpiry) {
            revert BeforeAuthorizationExpiry(uint48(block.timestamp), info.authorizationExpiry);
        }
        (bytes32 hash, uint256 amount) = _takeCapturable(info);
        emit PaymentReclaimed(hash, amount);
        _send(info.operator, info.token, info.payer, amount);
    }

    function refund(PaymentInfo calldata info, uint256 amount, address tokenCollector, bytes calldata collectorData)
        external
        guarded(info.operator)
        validAmount(amount)
    {
        if (block.timestamp >= info.refundExpiry) {
            revert AfterRefundExpiry(uint48(block.timestamp), info.refundExpiry);
        }
        bytes32 hash = getHash(info);
        uint120 captured = paymentState[hash].refundableAmount;
        if (captured < amount) revert RefundExceedsCapture(amount, captured);
        paymentState[hash].refundableAmount = captured - uint120(amount);
        emit PaymentRefunded(hash, amount, tokenCollector);
        _collect(info, amount, tokenCollector, collectorData, CollectorType.Refund);
        _send(info.operator, info.token, info.payer, amount);
    }

    function getHash(PaymentInfo calldata info) public view returns (bytes32) {
        bytes32 infoHash = keccak256(abi.encode(PAYMENT_INFO_TYPEHASH, info));
        return keccak256(abi.encode(block.chainid, address(this), infoHash));
    }

    function getTokenStore(address operator) public view returns (address) {
        bytes32 codeHash = keccak256(type(TokenStoreDouble).creationCode);
        bytes32 salt = bytes32(bytes20(operator));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash)))));
    }

    /// Checks a new payment and returns its hash.
    function _begin(PaymentInfo calldata info, uint256 amount) internal view returns (bytes32 hash) {
        if (amount > info.maxAmount) revert ExceedsMaxAmount(amount, info.maxAmount);
        if (block.timestamp >= info.preApprovalExpiry) {
            revert AfterPreApprovalExpiry(uint48(block.timestamp), info.preApprovalExpiry);
        }
        if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry) {
            revert InvalidExpiries(info.preApprovalExpiry, info.authorizationExpiry, info.refundExpiry);
        }
        if (info.maxFeeBps > BPS_MAX) revert FeeBpsOverflow(info.maxFeeBps);
        if (info.minFeeBps > info.maxFeeBps) revert InvalidFeeBpsRange(info.minFeeBps, info.maxFeeBps);
        hash = getHash(info);
        if (paymentState[hash].hasCollectedPayment) revert PaymentAlreadyCollected(hash);
    }

    /// Moves an amount from capturable to refundable.
    function _beginCapture(PaymentInfo calldata info, uint256 amount) internal returns (bytes32 hash) {
        if (block.timestamp >= info.authorizationExpiry) {
            revert AfterAuthorizationExpiry(uint48(block.timestamp), info.authorizationExpiry);
        }
        hash = getHash(info);
        PaymentState storage state = paymentState[hash];
        if (state.capturableAmount < amount) revert InsufficientAuthorization(hash, state.capturableAmount, amount);
        state.capturableAmount -= uint120(amount);
        state.refundableAmount += uint120(amount);
    }

    function _requireFeeReceiver(PaymentInfo calldata info, uint256 fee, address feeReceiver) internal pure {
        if (fee > 0 && feeReceiver == address(0)) revert ZeroFeeReceiver();
        if (info.feeReceiver != address(0) && info.feeReceiver != feeReceiver) {
            revert InvalidFeeReceiver(feeReceiver, info.feeReceiver);
        }
    }

    function _distribute(PaymentInfo calldata info, uint256 amount, uint256 fee, address feeReceiver) internal {
        if (fee > 0) _send(info.operator, info.token, feeReceiver, fee);
        if (amount > fee) _send(info.operator, info.token, info.receiver, amount - fee);
    }

    function _collect(
        PaymentInfo calldata info,
        uint256 amount,
        address tokenCollector,
        bytes calldata data,
        CollectorType kind
    ) internal {
        if (TokenCollector(tokenCollector).collectorType() != kind) revert InvalidCollectorForOperation();
        address store = getTokenStore(info.operator);
        uint256 before = Erc20(info.token).balanceOf(store);
        TokenCollector(tokenCollector).collectTokens(info, store, amount, data);
        if (Erc20(info.token).balanceOf(store) != before + amount) revert TokenCollectionFailed();
    }

    function _takeCapturable(PaymentInfo calldata info) private returns (bytes32 hash, uint256 amount) {
        hash = getHash(info);
        amount = paymentState[hash].capturableAmount;
        if (amount == 0) revert ZeroAuthorization(hash);
        paymentState[hash].capturableAmount = 0;
    }

    /// Makes the store at the first release.
    function _send(address operator, address token, address recipient, uint256 amount) private {
        address store = getTokenStore(operator);
        if (store.code.length == 0) {
            new TokenStoreDouble{salt: bytes32(bytes20(operator))}();
            emit TokenStoreCreated(operator, store);
        }
        TokenStoreDouble(store).sendTokens(token, recipient, amount);
    }
}

/// Version 1.1: fees are amounts.
contract EscrowDouble11 is EscrowDouble {
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint256 feeAmount, address feeReceiver);
    event PaymentCharged(
        bytes32 indexed paymentInfoHash,
        PaymentInfo paymentInfo,
        uint256 amount,
        address tokenCollector,
        uint256 feeAmount,
        address feeReceiver
    );

    error FeeAmountOutOfRange(uint256 feeAmount, uint256 min, uint256 max);

    function capture(PaymentInfo calldata info, uint256 amount, uint256 feeAmount, address feeReceiver)
        external
        guarded(info.operator)
        validAmount(amount)
    {
        _requireFee(info, amount, feeAmount, feeReceiver);
        bytes32 hash = _beginCapture(info, amount);
        emit PaymentCaptured(hash, amount, feeAmount, feeReceiver);
        _distribute(info, amount, feeAmount, feeReceiver);
    }

    function charge(
        PaymentInfo calldata info,
        uint256 amount,
        address tokenCollector,
        bytes calldata collectorData,
        uint256 feeAmount,
        address feeReceiver
    ) external guarded(info.operator) validAmount(amount) {
        _requireFee(info, amount, feeAmount, feeReceiver);
        bytes32 hash = _begin(info, amount);
        paymentState[hash] = PaymentState(true, 0, uint120(amount));
        emit PaymentCharged(hash, info, amount, tokenCollector, feeAmount, feeReceiver);
        _collect(info, amount, tokenCollector, collectorData, CollectorType.Payment);
        _distribute(info, amount, feeAmount, feeReceiver);
    }

    function _requireFee(PaymentInfo calldata info, uint256 amount, uint256 fee, address feeReceiver) private pure {
        uint256 min = amount * info.minFeeBps / BPS_MAX;
        uint256 max = amount * info.maxFeeBps / BPS_MAX;
        if (fee < min || fee > max) revert FeeAmountOutOfRange(fee, min, max);
        _requireFeeReceiver(info, fee, feeReceiver);
    }
}

/// Version 1.0: fees are basis points.
contract EscrowDouble10 is EscrowDouble {
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint16 feeBps, address feeReceiver);
    event PaymentCharged(
        bytes32 indexed paymentInfoHash,
        PaymentInfo paymentInfo,
        uint256 amount,
        address tokenCollector,
        uint16 feeBps,
        address feeReceiver
    );

    error FeeBpsOutOfRange(uint16 feeBps, uint16 min, uint16 max);

    function capture(PaymentInfo calldata info, uint256 amount, uint16 feeBps, address feeReceiver)
        external
        guarded(info.operator)
        validAmount(amount)
    {
        _requireFee(info, feeBps, feeReceiver);
        bytes32 hash = _beginCapture(info, amount);
        emit PaymentCaptured(hash, amount, feeBps, feeReceiver);
        _distribute(info, amount, amount * feeBps / BPS_MAX, feeReceiver);
    }

    function charge(
        PaymentInfo calldata info,
        uint256 amount,
        address tokenCollector,
        bytes calldata collectorData,
        uint16 feeBps,
        address feeReceiver
    ) external guarded(info.operator) validAmount(amount) {
        _requireFee(info, feeBps, feeReceiver);
        bytes32 hash = _begin(info, amount);
        paymentState[hash] = PaymentState(true, 0, uint120(amount));
        emit PaymentCharged(hash, info, amount, tokenCollector, feeBps, feeReceiver);
        _collect(info, amount, tokenCollector, collectorData, CollectorType.Payment);
        _distribute(info, amount, amount * feeBps / BPS_MAX, feeReceiver);
    }

    function _requireFee(PaymentInfo calldata info, uint16 feeBps, address feeReceiver) private pure {
        if (feeBps < info.minFeeBps || feeBps > info.maxFeeBps) {
            revert FeeBpsOutOfRange(feeBps, info.minFeeBps, info.maxFeeBps);
        }
        _requireFeeReceiver(info, feeBps, feeReceiver);
    }
}
