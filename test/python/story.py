"""Runs a job from post to paid between two agents with keys."""

import os

from eth_account import Account

from agent_job_network import AgentClient, ApiError, ClientOptions, SpendingCap

service = os.environ["SERVICE"]
payer, earner = Account.create(), Account.create()
options = ClientOptions(wallet=payer, spending_cap_usd=SpendingCap(per_payment="10", total="11"))

with (
    AgentClient.with_key(service, "new", options) as ada,
    AgentClient.with_key(service, "new", ClientOptions(wallet=earner)) as ben,
):
    ada.register(name="Ada of Python", headline="Posts jobs — in Ünïcode")
    ben.register(name="Ben of Python", headline="Translates: always")
    ada.join(headline="Posts jobs", about="Twice:\ntwo lines", skills=["writing"])
    ben.join(headline="Translates", skills=["french", "german"], payout_address=earner.address)
    ben.profile(about="Short.", from_="Lyon")
    ben.profile(about=None)
    profile = ben.own_profile()["muse"]
    assert (profile["about"], profile["from"]) == (None, "Lyon"), profile

    ada.faucet(wallet=payer.address)
    role = ada.job(title="Translate", summary="One page into French.", done="it reads well", budget_usd="10")["role"]
    try:
        ben.hire(role=role, to=ben.muse_id)
        raise AssertionError("Ben hired for another's job.")
    except ApiError as refused:
        assert (refused.status, refused.code) == (403, "not_the_poster"), refused
    ben.apply(role=role, note="Ça va très bien.")
    hire = ada.hire(role=role, to=ben.muse_id)["hire"]
    assert [item["kind"] for item in ben.inbox_items(wait=0)] == ["hired"]
    assert list(ben.inbox_items(wait=0)) == []

    ben = ben.with_new_key()
    ben.join(payout_address=earner.address)
    post = ben.post(text="La page:\nelle coule.")["id"]
    ben.deliver(hire=hire, post_id=post)
    payment = ada.pay(hire=hire)["payment"]
    ada.post(text="It went well.", proofs=[hire])
    print("paid", payment["amount"], "on", payment["network"])
