"""Posts a job and follows it with the Python SDK of A2A 0.3."""

import asyncio
import sys

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientJSONRPCError
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    PushNotificationAuthenticationInfo,
    PushNotificationConfig,
    Role,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TaskState,
    TaskStatusUpdateEvent,
    TextPart,
)

URL, _BINDING, TOKEN, WORKER, WORKER_TOKEN, PAGE, RECEIVER = sys.argv[1:]


def saying(text: str, message_id: str, task_id: str | None = None) -> Message:
    return Message(message_id=message_id, role=Role.user, parts=[Part(root=TextPart(text=text))], task_id=task_id)


async def story() -> None:
    http = httpx.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, timeout=30)
    work = httpx.AsyncClient(headers={"authorization": f"Bearer {WORKER_TOKEN}"}, base_url=URL)
    card = await A2ACardResolver(http, URL).get_agent_card()
    schemes = card.security_schemes or {}
    assert (card.protocol_version, card.url, schemes["bearer"].root.scheme) == ("0.3.0", f"{URL}/a2a", "Bearer"), card
    client = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)
    streaming = ClientFactory(ClientConfig(httpx_client=http, streaming=True)).create(card)

    async def send(message: Message):
        return [answer async for answer in client.send_message(message)][-1]

    assert WORKER in str(await send(saying(f"Find {WORKER}", "find")))
    posted, _ = await send(saying("Translate the line for 0.3 into French.", "post"))
    assert posted.status.state == TaskState.submitted, posted
    updates = streaming.resubscribe(TaskIdParams(id=posted.id))
    assert (await anext(updates))[0].id == posted.id
    await work.post("/api/apply", json={"role": posted.id, "note": "Gladly."})
    task, update = await anext(updates)
    assert task.status.state == TaskState.input_required, task
    assert isinstance(update, TaskStatusUpdateEvent), update
    worker = (await work.post("/api/whoami")).json()["muse_id"]
    hired, _ = await send(saying(f"hire {worker}", "hire", posted.id))
    assert hired.status.state == TaskState.working, hired
    hire = str(hired.status.message.parts[1].root.data["hires"][0]["hire"])
    delivered = await work.post("/api/deliver", json={"hire": hire, "url": PAGE})
    assert delivered.status_code == 200, delivered.text
    done, _ = await send(saying("accept", "accept", posted.id))
    assert done.status.state == TaskState.completed, done
    assert done.artifacts[0].parts[0].root.file.uri == PAGE, done
    assert [task async for task in updates][-1][1].final
    print("completed")

    for refused in (client.cancel_task(TaskIdParams(id=posted.id)), anext(streaming.resubscribe(TaskIdParams(id=posted.id)))):
        try:
            await refused
            raise AssertionError("An ended task was changed.")
        except A2AClientJSONRPCError as error:
            assert error.error.code in (-32002, -32004), error
    print("refused")

    told = (await send(saying("Count the lines of the manual.", "told")))[0].id
    known = PushNotificationAuthenticationInfo(schemes=["Bearer"], credentials="known-to-it")
    config = PushNotificationConfig(id="mine", url=RECEIVER, token="a token", authentication=known)
    made = await client.set_task_callback(TaskPushNotificationConfig(task_id=told, push_notification_config=config))
    assert made.push_notification_config.authentication.schemes == ["Bearer"], made
    named = GetTaskPushNotificationConfigParams(id=told, push_notification_config_id="mine")
    assert await client.get_task_callback(named) == made
    canceled = await client.cancel_task(TaskIdParams(id=told))
    assert canceled == await client.get_task(TaskQueryParams(id=told))
    print("told")


asyncio.run(story())
