"""A chat with memory over Anthropic: `python anthropic_messages.py conversation.json`, then a line for each turn."""

import json
import os
import sys
from pathlib import Path

from anthropic import Anthropic, omit

import recollect

client, model, file = Anthropic(), os.environ["ANTHROPIC_MODEL"], Path(sys.argv[1])
conversation = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def ask(system, messages, tools):
    options = {"model": model, "max_tokens": 4096, "tools": tools or omit}
    with client.messages.stream(system=system, messages=messages, **options) as stream:
        for text in stream.text_stream:
            print(text, end="", flush=True)
        return stream.get_final_message()


with recollect.open_memory().within(user="u1", agent="chat") as mine:
    box = mine.tools()
    for line in sys.stdin:
        conversation.append({"role": "user", "content": line.strip()})
        turn = mine.compose(conversation, system_prompt="You are a helpful assistant.")
        messages = list(turn.messages)
        while results := box.run(response := ask(turn.system, messages, box.anthropic())):
            messages += results
        said = "".join(block.text for block in response.content if block.type == "text")
        conversation.append({"role": "assistant", "content": said})
        file.write_text(json.dumps(conversation, ensure_ascii=False), encoding="utf-8")  # without the memory
        print()
