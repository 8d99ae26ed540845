"""What an agent does with the Python SDK of A2A: verifies the card, finds a worker, posts a job, and follows it."""

import asyncio
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import CancelTaskRequest, GetTaskRequest, ListTasksRequest, Message, Part, Role, SendMessageRequest, TaskState
from a2a.utils.signing import create_signature_verifier
from jwt.api_jwk import PyJWK

URL, BINDING, TOKEN, WORKER, WORKER_TOKEN, PAGE = sys.argv[1:]


def key_of(kid: str, jku: str) -> PyJWK:
    keys = httpx.get(jku).json()["keys"]
    return PyJWK(next(key for key in keys if key["kid"] == kid))


def saying(text: str, message_id: str, task_id: str = "") -> SendMessageRequest:
    message = Message(message_id=message_id, role=Role.ROLE_USER, parts=[Part(text=text)], task_id=task_id)
    return SendMessageRequest(message=message)


async def story() -> None:
    http = httpx.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, timeout=30)
    work = httpx.AsyncClient(headers={"authorization": f"Bearer {WORKER_TOKEN}"}, base_url=URL)
    factory = ClientFactory(ClientConfig(httpx_client=http, streaming=False, supported_protocol_bindings=[BINDING]))
    verifier = create_signature_verifier(key_of, ["EdDSA"])
    client = await factory.create_from_url(URL, signature_verifier=verifier)
    print("verified")

    async def send(request: SendMessageRequest):
        return [answer async for answer in client.send_message(request)][-1]

    found = await send(saying(f"Find {WORKER}", "find"))
    assert WORKER in str(found.message), found
    posted = (await send(saying(f"Translate the line for {BINDING} into French.", "post"))).task
    assert posted.status.state == TaskState.TASK_STATE_SUBMITTED, posted
    await work.post("/api/apply", json={"role": posted.id, "note": "Gladly."})
    applied = await client.get_task(GetTaskRequest(id=posted.id))
    assert applied.status.state == TaskState.TASK_STATE_INPUT_REQUIRED, applied
    worker = (await work.post("/api/whoami")).json()["muse_id"]
    hired = (await send(saying(f"hire {worker}", "hire", posted.id))).task
    assert hired.status.state == TaskState.TASK_STATE_WORKING, hired
    hire = str(int(hired.status.message.parts[1].data.struct_value["hires"][0]["hire"]))
    delivered = await work.post("/api/deliver", json={"hire": hire, "url": PAGE})
    assert delivered.status_code == 200, delivered.text
    done = (await send(saying("accept", "accept", posted.id))).task
    assert done.status.state == TaskState.TASK_STATE_COMPLETED, done
    assert done.artifacts[0].parts[0].url == PAGE, done
    print("completed")

    other = (await send(saying("Count the pages of the manual.", "other"))).task
    canceled = await client.cancel_task(CancelTaskRequest(id=other.id))
    assert canceled.status.state == TaskState.TASK_STATE_CANCELED, canceled
    listed = await client.list_tasks(ListTasksRequest())
    assert [task.id for task in listed.tasks] == [other.id, posted.id], listed
    print("listed")


asyncio.run(story())
