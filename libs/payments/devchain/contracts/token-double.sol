// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Common parts of both tokens: EIP-20, EIP-3009 state and EIP-712 hashing. The code is placed at an address without
/// running a constructor, so it has no immutables and no initial storage.
abstract contract TokenDouble {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    /// Half the order of secp256k1. Signatures with a larger s are malleable (EIP-2).
    uint256 private constant S_MAX = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    function name() public pure virtual returns (string memory);
    function symbol() external pure virtual returns (string memory);
    function version() public pure virtual returns (string memory);

    function _refuseBalance() internal pure virtual;
    function _refuseAllowance() internal pure virtual;
    function _refuseSignature() internal pure virtual;
    function _accepts(address signer, bytes32 digest, bytes memory signature) internal view virtual returns (bool);
    /// Whether an authorization can be used now. Reverts with the token's own error.
    function _open(Authorization memory a) internal virtual returns (bool);
    function _requireUnused(address authorizer, bytes32 nonce) internal view virtual;

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 hashedName = keccak256(bytes(name()));
        bytes32 hashedVersion = keccak256(bytes(version()));
        return keccak256(abi.encode(DOMAIN_TYPEHASH, hashedName, hashedVersion, block.chainid, address(this)));
    }

    /// Open to every caller, because this is a development chain.
    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] < value) _refuseAllowance();
        allowance[from][msg.sender] -= value;
        _transfer(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        Authorization memory a = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(a, TRANSFER_WITH_AUTHORIZATION_TYPEHASH, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        _cancel(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function _carryOut(Authorization memory a, bytes32 typeHash, bytes memory signature) internal {
        if (!_open(a)) return;
        bytes32 structHash =
            keccak256(abi.encode(typeHash, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce));
        _requireSignature(a.from, structHash, signature);
        authorizationState[a.from][a.nonce] = true;
        emit AuthorizationUsed(a.from, a.nonce);
        _transfer(a.from, a.to, a.value);
    }

    function _cancel(address authorizer, bytes32 nonce, bytes memory signature) internal {
        _requireUnused(authorizer, nonce);
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _requireSignature(authorizer, structHash, signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _requireSignature(address signer, bytes32 structHash, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        if (!_accepts(signer, digest, signature)) _refuseSignature();
    }

    function _hasSigned(address signer, bytes32 digest, bytes memory signature) internal pure returns (bool) {
        (uint8 v, bytes32 r, bytes32 s) = _split(signature);
        bool wellFormed = uint256(s) <= S_MAX && (v == 27 || v == 28);
        address recovered = wellFormed ? ecrecover(digest, v, r, s) : address(0);
        return recovered != address(0) && recovered == signer;
    }

    function _split(bytes memory signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        if (signature.length != 65) _refuseSignature();
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }

    function _transfer(address from, address to, uint256 value) private {
        if (balanceOf[from] < value) _refuseBalance();
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
