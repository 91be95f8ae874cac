"""A chat with memory over Chat Completions: `python openai_chat.py conversation.json`, then a line for each turn."""

import json
import os
import sys
from pathlib import Path

from openai import OpenAI, omit

import recollect

client, model, file = OpenAI(), os.environ["OPENAI_MODEL"], Path(sys.argv[1])
conversation = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def ask(messages, tools):
    with client.chat.completions.stream(model=model, messages=messages, tools=tools or omit) as stream:
        for event in stream:
            if event.type == "content.delta":
                print(event.delta, end="", flush=True)
        return stream.get_final_completion()


with recollect.open_memory().within(user="u1", agent="chat") as mine:
    box = mine.tools()
    for line in sys.stdin:
        conversation.append({"role": "user", "content": line.strip()})
        turn = mine.compose(conversation, system_prompt="You are a helpful assistant.")
        messages = [{"role": "system", "content": turn.system}, *turn.messages]
        while results := box.run(response := ask(messages, box.openai())):
            messages += results
        conversation.append({"role": "assistant", "content": response.choices[0].message.content})
        file.write_text(json.dumps(conversation, ensure_ascii=False), encoding="utf-8")  # without the memory
        print()
