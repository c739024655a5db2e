# SPDX-License-Identifier: MIT
"""The actors of a job, whichever of them live, and the batches that they convert."""

from __future__ import annotations

import contextlib
import functools
import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Deque, Dict, Generator, List, Mapping, Optional, Sequence, Tuple

import ray
import ray.exceptions

import apus

from .places import Place
from .work import Row, Work, failed
from .worker import Converter

# How many batches an actor has at most: the one that it converts, and the next.
AHEAD = 2
# How many photos a batch has at most. It has fewer at the end of a job, so that all actors end at about the same time.
MOST = 64


@dataclass
class Batch:
    """Photos that an actor converts in one call."""

    photos: List[Work]
    # Whether this is one photo, which was in a batch that ended its actor.
    is_alone: bool = False


@dataclass
class Member:
    """An actor of the pool, with the calls that it has not answered, in the order in which it does."""

    actor: Any
    # The first call has no batch: it is answered when the actor has begun.
    calls: Dict[Any, Optional[Batch]] = field(default_factory=dict)

    @property
    def has_room(self) -> bool:
        """Whether it may get another batch. With a photo that is to be alone it gets none: the answer of a call that is done
        may be lost when the next one ends the actor, and the photo would be blamed for that."""
        return len(self.calls) < AHEAD and not any(batch and batch.is_alone for batch in self.calls.values())


class Pool:
    """Actors that convert photos. One that dies is replaced, and what it had not finished is given to others.

    Ray's own pools of Ray Data do as much, but begin four more processes beside the actors.
    """

    def __init__(self, arguments: Tuple[Place, Place, Mapping[str, Any], int], workers: int, actors: int) -> None:
        """arguments are those of Converter; workers is how many processors an actor takes, and actors how many there are."""
        remote: Any = ray.remote(num_cpus=workers, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")(Converter)
        self._make = functools.partial(remote.remote, *arguments)
        self._text, self._workers, self._actors = arguments[2]["text"], workers, actors
        self._members: List[Member] = []
        # Who answers a call.
        self._calls: Dict[Any, Member] = {}
        # What is given to actors next, and how many of the photos have been given to any.
        self._again: Deque[Batch] = deque()
        self._todo: Sequence[Work] = ()
        self._given = 0
        # How many actors died before they had begun, since one has.
        self._stillborn = 0
        #: How many actors died with a batch.
        self.deaths = 0

    def convert(self, todo: Sequence[Work], patience: float) -> Generator[List[Row], None, None]:
        """The rows of the photos as they come; no rows where none came for so many seconds."""
        self._todo, self._given = todo, 0
        try:
            while self._fill() or any(batch for member in self._members for batch in member.calls.values()):
                calls = list(self._calls)
                if answered := ray.wait(calls, timeout=patience)[0]:
                    answered = ray.wait(calls, num_returns=len(calls), timeout=0)[0]
                yield [row for call in answered for row in self._answer(call)]
        finally:
            for member in list(self._members):
                self._end(member)

    def _fill(self) -> bool:
        """Begins actors as long as there is work for them. Returns whether there is work that no actor has."""
        left = len(self._again) + len(self._todo) - self._given
        waiting = sum(None in member.calls.values() for member in self._members)
        for _ in range(min(self._actors - len(self._members), left - waiting)):
            member = Member(self._make())
            self._members.append(member)
            self._note(member, member.actor.ready.remote(), None)
        return left > 0

    def _note(self, member: Member, call: Any, batch: Optional[Batch]) -> None:
        member.calls[call] = batch
        self._calls[call] = member

    def _end(self, member: Member) -> None:
        """Ends an actor, whatever it does."""
        self._members.remove(member)
        for call in member.calls:
            del self._calls[call]
        with contextlib.suppress(ray.exceptions.RayError):
            ray.kill(member.actor)

    def _answer(self, call: Any) -> List[Row]:
        """What an actor has answered; it gets its next call."""
        member = self._calls.get(call)
        if member is None:
            # It died with another call.
            return []
        try:
            rows: Optional[List[Row]] = ray.get(call)
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError as error:
            return self._bury(member, error)
        del self._calls[call]
        if member.calls.pop(call) is None:
            self._stillborn = 0
        while member.has_room and (batch := self._take(not member.calls)):
            self._note(member, member.actor.convert.remote(batch.photos), batch)
        if not member.calls:
            self._end(member)
        return rows or []

    def _take(self, is_idle: bool) -> Optional[Batch]:
        """The next batch for an actor that has nothing to do, or has; None where there is none for it."""
        if self._again and (is_idle or not self._again[0].is_alone):
            return self._again.popleft()
        left = len(self._todo) - self._given
        if not left:
            return None
        size = min(left, MOST, max(self._workers, math.ceil(left / (self._workers * self._actors * 8))))
        self._given += size
        return Batch(list(self._todo[self._given - size:self._given]))

    def _bury(self, member: Member, error: Exception) -> List[Row]:
        """What an actor had that died is converted again: photos of the batch that it had begun each alone, because one may
        have ended it. A photo that ends another actor alone is given up."""
        begun, *others = member.calls.values()
        self._end(member)
        if begun is None:
            self._stillborn += 1
            if getattr(error, "actor_init_failed", False) or self._stillborn > 3 + self._actors:
                raise error
            return []
        self.deaths += 1
        self._again.extendleft(batch for batch in reversed(others) if batch)
        if begun.is_alone:
            row = begun.photos[0].row(apus.__version__, self._text)
            return [failed(row, "crash", "ended its worker twice, the second time alone")]
        self._again.extend(Batch([photo], is_alone=True) for photo in begun.photos)
        return []
