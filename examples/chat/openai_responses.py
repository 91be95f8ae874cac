"""A chat with memory over Responses: `python openai_responses.py conversation.json`, then a line for each turn."""

import json
import os
import sys
from pathlib import Path

from openai import OpenAI, omit

import recollect

client, model, file = OpenAI(), os.environ["OPENAI_MODEL"], Path(sys.argv[1])
conversation = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def ask(instructions, items, tools):
    with client.responses.stream(model=model, instructions=instructions, input=items, tools=tools or omit) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                print(event.delta, end="", flush=True)
        return stream.get_final_response()


with recollect.open_memory().within(user="u1", agent="chat") as mine:
    box = mine.tools()
    for line in sys.stdin:
        conversation.append({"role": "user", "content": line.strip()})
        turn = mine.compose(conversation, system_prompt="You are a helpful assistant.")
        items = list(turn.messages)
        while results := box.run(response := ask(turn.system, items, box.openai("responses"))):
            items += results
        conversation.append({"role": "assistant", "content": response.output_text})
        file.write_text(json.dumps(conversation, ensure_ascii=False), encoding="utf-8")  # without the memory
        print()
