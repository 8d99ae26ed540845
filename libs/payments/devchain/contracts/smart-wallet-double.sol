// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Contract wallet with the signatures of the Coinbase Smart Wallet: its owners are keys or passkeys.
contract SmartWalletDouble {
    struct OwnerSignature {
        uint256 ownerIndex;
        bytes signature;
    }

    struct PasskeySignature {
        bytes authenticatorData;
        bytes clientDataJSON;
        uint256 challengeIndex;
        uint256 typeIndex;
        uint256 r;
        uint256 s;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant MESSAGE_TYPEHASH = keccak256("CoinbaseSmartWalletMessage(bytes32 hash)");
    /// Half the order of the curve P-256.
    uint256 private constant S_MAX = 0x7FFFFFFF800000007FFFFFFFFFFFFFFFDE737D56D38BCF4279DCE5617E3192A8;
    /// Precompiled contract that verifies P-256 (RIP-7212).
    address private constant P256 = address(0x100);
    bytes private constant BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    bytes1 private constant USER_PRESENT = 0x01;

    /// An address, or the coordinates of a passkey.
    bytes[] public ownerAtIndex;

    constructor(bytes[] memory owners) {
        ownerAtIndex = owners;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        OwnerSignature memory signed = abi.decode(signature, (OwnerSignature));
        bytes memory owner = ownerAtIndex[signed.ownerIndex];
        bytes32 digest = replaySafeHash(hash);
        bool isPasskey = owner.length == 64;
        bool good = isPasskey
            ? _passkeySigned(owner, digest, signed.signature)
            : _keySigned(owner, digest, signed.signature);
        return good ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// Binds a signature to this wallet.
    function replaySafeHash(bytes32 hash) public view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Coinbase Smart Wallet"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(MESSAGE_TYPEHASH, hash))));
    }

    function _keySigned(bytes memory owner, bytes32 digest, bytes memory signature) private pure returns (bool) {
        if (signature.length != 65) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        address recovered = ecrecover(digest, v, r, s);
        return recovered != address(0) && recovered == abi.decode(owner, (address));
    }

    function _passkeySigned(bytes memory owner, bytes32 digest, bytes memory signature) private view returns (bool) {
        PasskeySignature memory signed = abi.decode(signature, (PasskeySignature));
        if (signed.s > S_MAX || signed.authenticatorData[32] & USER_PRESENT == 0) return false;
        bytes memory client = signed.clientDataJSON;
        bytes memory challenge = abi.encodePacked('"challenge":"', _base64url(digest), '"');
        if (!_holds(client, signed.typeIndex, '"type":"webauthn.get"')) return false;
        if (!_holds(client, signed.challengeIndex, challenge)) return false;
        bytes32 message = sha256(abi.encodePacked(signed.authenticatorData, sha256(client)));
        (uint256 x, uint256 y) = abi.decode(owner, (uint256, uint256));
        (bool answered, bytes memory answer) = P256.staticcall(abi.encode(message, signed.r, signed.s, x, y));
        return answered && answer.length == 32 && abi.decode(answer, (uint256)) == 1;
    }

    function _holds(bytes memory text, uint256 index, bytes memory part) private pure returns (bool) {
        if (index > text.length || text.length - index < part.length) return false;
        for (uint256 i = 0; i < part.length; i++) {
            if (text[index + i] != part[i]) return false;
        }
        return true;
    }

    /// 43 characters, without padding.
    function _base64url(bytes32 value) private pure returns (bytes memory text) {
        text = new bytes(43);
        for (uint256 i = 0; i < 43; i++) {
            uint256 sextet = i < 42 ? uint256(value) >> (250 - 6 * i) : uint256(value) << 2;
            text[i] = BASE64URL[sextet & 63];
        }
    }
}

/// Deploys wallets at addresses that are known before.
contract SmartWalletFactoryDouble {
    function createAccount(bytes[] memory owners, uint256 nonce) external payable returns (address wallet) {
        wallet = getAddress(owners, nonce);
        if (wallet.code.length == 0) new SmartWalletDouble{salt: bytes32(nonce)}(owners);
    }

    function getAddress(bytes[] memory owners, uint256 nonce) public view returns (address) {
        bytes memory creation = abi.encodePacked(type(SmartWalletDouble).creationCode, abi.encode(owners));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(nonce), keccak256(creation)));
        return address(uint160(uint256(hash)));
    }
}
