"""How English leaves things off and puts one in another's place, for `turning`: back in the chair, no more jogging."""

import re

from chat.memory.clauses import Clause
from chat.memory.rules import mentions
from chat.memory.rules.reading import Reading

MOST_BESIDE = 4  # other words beside a value that is put in another's place
# English: what is put, and what holds now. Nothing of it is said of a value that is denied, left or only compared with.
LATELY = (
    r"(?<![a-z])(?:now|nowadays|these days|lately|of late|currently|at the moment|since then|ever since"
    r"|from (?:now|here|today) on(?:wards?)?(?: out| in)?|from here (?:out|in)|going forward|from today"
    r"|henceforth|instead"
    r"|again|for good|any ?more)(?![a-z])"
)
_PUT_EN = re.compile(
    rf"{LATELY}|(?<![a-z])(?:switch\w*|swap\w*|mov(?:e|ed|ing)|chang(?:e|ed|ing)|gone|went|going|back|over"
    r"|return\w*|reverted"
    r"|shift\w*|upgrad\w*|downgrad\w*|convert\w*|graduat\w*|land\w*|settl\w*|turned|stick(?:ing)?|stuck)(?: \w+){0,3}?"
    r" (?:to|in|into|on|onto|for|with|at)(?![a-z])|(?<![a-z])(?:it is|it's|it'll be|make it|it has to be"
    r"|has to be|must be"
    r"|put me (?:down )?(?:for|on)|i'll (?:have|take|go with|go for)|go(?:ing)? with|let's (?:go|have|try)"
    r"|give me|swap me|switch me|i want|i need|i'd (?:like|love|prefer|rather)|prefer|please|for me"
    r"|do(?:es)? me|does it|does the trick|will do|works? (?:better|best)"
    r"|suits?|only|just|ended up|turns out|discovered|found)(?![a-z])"
)
_DENIED_EN = re.compile(
    r"(?:(?<![a-z])(?:no|not|never|without|than|from|of(?! (?:the|it)$)|off|ditch\w*|dropp?\w*|stop\w*"
    r"|kill\w*|los[et]\w*|miss\w*|used to|quit\w*"
    r"|gave up|given up|giving up|bye|goodbye|enough|sick of|tired of|bored of|hate\w*|can't|cannot"
    r"|couldn't|won't|don't|doesn't|didn't|isn't"
    r"|wasn't|instead of|rather than|as opposed to|skip\w*|binn?\w*|swapped|swap|replaced|traded|left"
    r"|leave|nor|less|except|bar"
    r"|tried|try|trying|about|think|thinking|consider\w*|if|maybe|should|could"
    r"|would(?! (?:like|love|prefer|rather)))(?![a-z])"
    r"(?: (?!but |and |so |i |it's |just |only )\w+){0,3} ?$)"
)
_JUDGED_EN = re.compile(
    r" (?:is|are|was|were|has|have|'s) (?!it |my |what |how |where |now|just |for |on |better|best|fine"
    r"|nice|perfect|enough|all )"
)
# What adds nothing to a value beside which it stands.
_LITTLE_EN = re.compile(
    rf"{LATELY}|(?<![a-z])(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|my|our|me|it|it's|its|it'll|that|that's"
    r"|this|there|so|and|but|well|ok|okay"
    r"|yeah|yep|yes|no|nah|nope|oh|ah|right|actually|honestly|basically|simply|really|just|only|all|the"
    r"|an?|some|of|in|on|onto|into|at|to|for"
    r"|with|by|as|am|is|are|was|be|been|being|do|does|doing|did|have|has|had|having|got|get|getting|go"
    r"|going|gone|went|back|over|up|down|out"
    r"|want|wanted|need|needed|like|love|prefer|please|thanks|rather|use|using|make|keep|keeping|put|sit"
    r"|sits|sitting|seat|meditat\w+|practi\w+"
    r"|stick(?:ing)?|stuck|switch\w*|swap\w*|mov(?:e|ed|ing)|chang\w*|return\w*|reverted|shift\w*|ended"
    r"|turned|turns|found|settled|always|mostly"
    r"|usually|sometimes|much|more|most|very|so|too|also|still|old|proper|plain|good|best|better|nicer?"
    r"|way|total|dead|pure|complete|kind|sort"
    r"|sounds?|noise|track|music|app|voice|position|posture|room|spot|place|today|day|tbh|lol|haha|lately"
    r"|will|would|can|could|must|should|you|your"
    r"|works?|crept|creep\w*|inch\w*|built|build\w*|work(?:ed|ing)|edg\w*|pretty|fully|whole|full|solid"
    r"|decent|weeks?|suits?|helps?|manag\w*|squeez\w*|barely|hardly|cut\w*|bump\w*|upped|rais\w*|dropp?\w*"
    r"|push\w*|extend\w*|nudg\w*|closer|nearer"
    r"|day|days|morning|evening|night|nights|mornings|evenings|long|longer|short|shorter|sessions?|around"
    r"|about|roughly|straight|slot|time|happen\w*|late|later|early|earlier|time|times|every|each|since"
    r"|because|then|when|while|own|myself|thing|one|option|setup|mode)(?![a-z'])|[^a-z' ]"
)
_GONE_EN = re.compile(
    r" ?(?:\w+ ){0,2}?(?:is|was|are|were|has|have|had|just|only|'s)?(?: \w+){0,2}? ?(?<![a-z])(?:gone|out"
    r"|off|over|history|kill\w*|hurt\w*|annoy\w*|made"
    r"|makes?|didn't|doesn't|don't|isn't|wasn't|no longer|not|never|got|gets|puts?|had to|wreck\w*|ruin\w*"
    r"|drove|drives?|bor(?:es?|ed|ing)"
    r"|for (?:an?|the|my|our) \w+$)(?![a-z])"
)
_CAME_TO = re.compile(
    r"(?<![a-z])(?:up to|down to|back to|up at|back up to|make it|it's now|now at|now on|now doing"
    r"|stretch(?:ed)? it to|got to|reached|hitting|managing)"
    r" (?:a |about |around |roughly |nearly |almost |solid |good )*(?P<n>\d{1,3}"
    r"|(?:twenty|thirty|forty|fifty)(?:[- ]five)?|five|ten|fifteen|sixty|ninety)"
    r"(?=$|,| now| these| at a| each| every time| per sit| a sit| most| tbh| lol)"
)
# Why it is so: since the baby, now I've changed shift.
_BECAUSE = re.compile(
    r"(?<![a-z])(?:since|because|due to|thanks to|now that|with(?= the| my| a| work| kids)"
    r"|as(?= i| my| the| we)|until|so that|what with|after(?= the| my| a)"
    r"|now(?= i've| i'm| we've| we're| my| the))(?![a-z]) .*"
)
# yoga is off for now, running had to go
LEFT_AFTER = re.compile(
    r" (?:\w+ )?(?:is|are|was|'s|has|have)(?: \w+)? (?:out(?! of)|off(?! to)|over|done|finished|history"
    r"|gone|on hold|no more|dead|behind me|had to go|stopped|ended"
    r"|banned|off the (?:menu|table|cards))(?![a-z])"
    r"| (?:had to (?:go|stop)|went out (?:of )?the window|fell by the wayside|bit the dust)(?![a-z])"
)


def left(before: str, after: str) -> bool:
    return bool(_DENIED_EN.search(before) or _GONE_EN.match(after))


def put(reading: Reading, place: int, match: re.Match) -> bool:
    """back in the chair, singing bowls it is going forward: where something else is believed, it has given way to this.

    The rest of the clause speaks of little else, or the message of sitting.
    """
    text = match.string
    before, after = text[: match.start()], text[match.end() :]
    if not text.isascii() or not _PUT_EN.search(text) or left(before, after) or _JUDGED_EN.match(after):
        return False
    rest = _LITTLE_EN.sub("", f"{before} {after}").split()
    most = 0 if match[0] in mentions.BARE else 1
    return len(rest) <= most or ("sitting" in reading.about[place] and len(rest) <= MOST_BESIDE)


def minutes(text: str) -> tuple[int, int, str] | None:
    """I've crept up to 25: (start, end, number) of a bare number that something has come to."""
    found = _CAME_TO.search(text)
    return (*found.span("n"), found["n"]) if found and not _LITTLE_EN.sub("", text[: found.start()]).split() else None


def nothing_else(clause: Clause, bare: list) -> bool:
    """only managing ten minutes these days: English words that say nothing of what is measured."""
    letters = list(clause.text)
    for mention in bare:
        letters[mention.start : mention.end] = " " * (mention.end - mention.start)
    said = _BECAUSE.sub("", "".join(letters))
    return clause.text.isascii() and not _LITTLE_EN.sub("", said).split()
