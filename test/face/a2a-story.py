"""Verifies the card, finds a worker, posts a job and follows it with the Python SDK of A2A."""

import asyncio
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import (
    AuthenticationInfo,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import InvalidParamsError
from a2a.utils.signing import create_signature_verifier
from jwt.api_jwk import PyJWK

URL, BINDING, TOKEN, WORKER, WORKER_TOKEN, PAGE, RECEIVER = sys.argv[1:]


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

    try:
        await send(saying('{"task": "short"}', "refused"))
        raise AssertionError("A task of five letters was accepted.")
    except InvalidParamsError as refused:
        assert "`task` must be" in str(refused), refused
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

    told = (await send(saying("Count the lines of the manual.", "told"))).task.id
    known = AuthenticationInfo(scheme="Bearer", credentials="known-to-it")
    config = TaskPushNotificationConfig(task_id=told, id="mine", url=RECEIVER, token="a token", authentication=known)
    made = await client.create_task_push_notification_config(config)
    assert (made.id, made.url, made.authentication.scheme) == ("mine", RECEIVER, "Bearer"), made
    assert made == await client.get_task_push_notification_config(GetTaskPushNotificationConfigRequest(task_id=told, id="mine"))
    other = await client.create_task_push_notification_config(TaskPushNotificationConfig(task_id=told, url=RECEIVER))
    every = ListTaskPushNotificationConfigsRequest(task_id=told)
    assert list((await client.list_task_push_notification_configs(every)).configs) == [made, other]
    await client.delete_task_push_notification_config(DeleteTaskPushNotificationConfigRequest(task_id=told, id=other.id))
    assert list((await client.list_task_push_notification_configs(every)).configs) == [made]
    await client.cancel_task(CancelTaskRequest(id=told))
    while (await client.list_task_push_notification_configs(every)).configs:
        await asyncio.sleep(0.05)
    print("told")


asyncio.run(story())
