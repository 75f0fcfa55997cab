"""Forms of the pages: they parse what came in; the verbs of chat.memory decide."""

from datetime import date, datetime, time, timedelta
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.errors import BadInput
from chat.knowledge.ingest import ingest
from chat.limits import within_limit
from chat.memory.text import strip_controls
from chat.models import Account, Conversation, Document, Memory
from chat.tasks import embed_knowledge

YEARS = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2200, 1, 1))]
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
ENDINGS = (".md", ".txt", ".pdf")
MAX_BYTES = 10 * 1024 * 1024
TOO_OFTEN = _("Too many attempts. Please wait five minutes.")


class SignInForm(AuthenticationForm):
    def clean(self):
        if not within_limit(self.request, "sign-in"):
            raise ValidationError(TOO_OFTEN, code="too_often")
        return super().clean()


class SignUpForm(UserCreationForm):
    def __init__(self, request, *args, **kwargs):
        self.request = request
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = self.fields["password2"].help_text = ""
        self.fields["password1"].help_text = _("At least eight characters, not an everyday word.")

    def clean(self):
        if not within_limit(self.request, "sign-up"):
            raise ValidationError(TOO_OFTEN, code="too_often")
        return super().clean()


class NewConversationForm(forms.Form):
    """How a conversation begins: `temporary` ones read memory at most, and never write it."""

    temporary = forms.BooleanField(required=False)
    memory = forms.ChoiceField(choices=Conversation.MemoryMode.choices, required=False)

    def clean(self):
        data = super().clean()
        modes = Conversation.MemoryMode
        default = modes.OFF if data.get("temporary") else modes.READ_WRITE
        data["memory"] = data.get("memory") or default
        if data.get("temporary") and data["memory"] == modes.READ_WRITE:
            data["memory"] = modes.OFF
        return data


class AccountForm(forms.ModelForm):
    time_zone = forms.CharField(label=_("Time zone"), required=False, max_length=64)

    class Meta:
        model = Account
        fields = [
            "language",
            "answer_language",
            "time_zone",
            "theme",
            "send_key",
            "announce",
            "use_memory",
            "auto_memory",
            "confirm_new",
        ]
        labels = {
            "language": _("Language of the pages"),
            "answer_language": _("Language of the answers"),
            "theme": _("Theme"),
            "send_key": _("Sending"),
            "announce": _("Screen readers, when an answer is complete"),
            "use_memory": _("Use my memories in answers"),
            "auto_memory": _("Remember new things by itself"),
            "confirm_new": _("Ask me before something new counts"),
        }
        help_texts = {
            "use_memory": _("Off: answers are given as if we met for the first time."),
            "auto_memory": _("Off: nothing new is kept; what is there stays."),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("as the browser")), *self._meta.model.language.field.choices]
        self.fields["answer_language"].choices = [
            ("", _("as the question")),
            *self._meta.model.answer_language.field.choices,
        ]
        self.fields["time_zone"].widget.attrs |= {
            "list": "zones",
            "placeholder": _("as the browser"),
            "autocomplete": "off",
        }

    def clean_time_zone(self) -> str:
        name = self.cleaned_data["time_zone"].strip()
        if name and name not in available_timezones():
            raise ValidationError(_("There is no such time zone. Names look like Asia/Shanghai."), code="time_zone")
        return name


class WeightsForm(forms.Form):
    """The shares of a score. They are saved as they are; only their proportion matters to the order."""

    semantic = forms.FloatField(label=_("Meaning and words"), min_value=0, max_value=1)
    entity = forms.FloatField(label=_("State"), min_value=0, max_value=1)
    time = forms.FloatField(label=_("Recency"), min_value=0, max_value=1)
    question = forms.CharField(label=_("A question"), required=False, max_length=500)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("semantic", "entity", "time"):
            self.fields[name].widget = forms.NumberInput(attrs={"type": "range", "class": "slide", "min": "0", "max": "1", "step": "0.05"})

    def clean(self) -> dict:
        data = super().clean()
        if not any(data.get(name) for name in ("semantic", "entity", "time")):
            raise ValidationError(_("At least one of them must count."), code="all_zero")
        return data

    @property
    def shares(self) -> dict[str, float]:
        return {name: round(self.cleaned_data[name], 2) for name in ("semantic", "entity", "time")}


class NewMemoryForm(forms.Form):
    text = forms.CharField(
        label=_("What should be remembered"), max_length=2000, widget=forms.Textarea(attrs={"rows": 4})
    )
    occurred_at = forms.DateTimeField(
        label=_("When it happened"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    importance = forms.TypedChoiceField(
        label=_("How much it matters"),
        coerce=float,
        initial="0.5",
        choices=[("0.3", _("a little")), ("0.5", _("normally")), ("0.7", _("much")), ("0.9", _("very much"))],
    )


class MemoryFilterForm(forms.Form):
    """The filter bar of the list, all of it in the URL. Anything that makes no sense is as if it were not there."""

    ORDERS = {
        "new": (_("newest learned"), ("-recorded_at", "-pk")),
        "event": (_("newest event"), ("-occurred_at", "-pk")),
        "used": (_("last used"), ("-last_used_at", "-pk")),
        "uses": (_("most used"), ("-use_count", "-pk")),
        "sure": (_("most certain"), (F("version__confidence").desc(nulls_last=True), "-pk")),
        "important": (_("most important"), ("-importance", "-pk")),
        "old": (_("oldest learned"), ("recorded_at", "pk")),
    }

    DATED = {"happened": (_("happened"), "occurred_at"), "learned": (_("learned"), "recorded_at"), "used": (_("last used"), "last_used_at")}

    SURE = {
        "90": (_("confidence ≥ 90%"), {"gte": 0.9}),
        "70": (_("confidence ≥ 70%"), {"gte": 0.7}),
        "unsure": (_("confidence < 70%"), {"lt": 0.7}),
    }

    q = forms.CharField(label=_("Search"), required=False, max_length=200)
    ask = forms.CharField(label=_("Score for a sentence"), required=False, max_length=500)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("every kind")), *Memory.Kind.choices])
    tier = forms.ChoiceField(label=_("Tier"), required=False, choices=[("", _("both tiers")), *Memory.Tier.choices])
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("live")), *Memory.State.choices[1:]])
    about = forms.CharField(label=_("About"), required=False, max_length=120)
    sure = forms.ChoiceField(
        label=_("Confidence"), required=False, choices=[("", _("every confidence")), *((name, label) for name, (label, _b) in SURE.items())]
    )
    pinned = forms.BooleanField(label=_("pinned only"), required=False)
    unused = forms.BooleanField(label=_("never used"), required=False)
    dated = forms.ChoiceField(label=_("Date"), required=False, choices=[(name, label) for name, (label, _field) in DATED.items()])
    since = forms.DateField(label=_("from"), required=False, validators=YEARS, widget=DAY)
    until = forms.DateField(label=_("to"), required=False, validators=YEARS, widget=DAY)
    conversation = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    order = forms.ChoiceField(
        label=_("Order"), required=False, choices=[(name, label) for name, (label, _fields) in ORDERS.items()]
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("kind", "tier", "state", "sure", "order", "dated", "since", "until"):  # they stand in one row, without visible labels
            self.fields[name].widget.attrs["aria-label"] = self.fields[name].label

    def choices_made(self) -> dict:
        """What MemoryQuerySet.matching takes. Days begin and end at midnight of the reader's zone."""
        self.is_valid()
        chosen = {name: self.cleaned_data.get(name) or "" for name in self.fields}
        chosen["ask"] = strip_controls(chosen["ask"]).strip()
        chosen["about"] = strip_controls(chosen["about"]).strip()
        chosen["sure"] = self.SURE[chosen["sure"]][1] if chosen["sure"] else ""
        chosen["dated"] = self.DATED[chosen["dated"] or "happened"][1]
        first, last = chosen.pop("since"), chosen.pop("until")
        return chosen | {"start": first and midnight(first), "end": last and midnight(last + timedelta(days=1))}

    @property
    def refined(self) -> bool:
        """One of the filters that are folded away is at work."""
        return any(self.cleaned_data.get(name) for name in ("tier", "about", "sure", "unused", "since", "until", "conversation"))


def midnight(day: date) -> datetime:
    """The beginning of a day in the reader's zone."""
    return datetime.combine(day, time.min, tzinfo=timezone.get_current_timezone())


class UploadForm(forms.ModelForm):
    """A file of the knowledge base: read in at once, found by its words; its vectors come in the background."""

    file = forms.FileField(label=_("File"), help_text=_(".md, .txt or .pdf, at most 10 MB"))

    class Meta:
        model = Document
        fields: list[str] = []

    def clean_file(self):
        file = self.cleaned_data["file"]
        if not file.name.lower().endswith(ENDINGS):
            raise forms.ValidationError(_("Only .md, .txt and .pdf can be read."), code="unknown_kind")
        if file.size > MAX_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB."), code="too_large")
        return file

    def clean(self):
        """Reads the document in: only that tells whether a PDF is one."""
        data = super().clean()
        if "file" in data:
            try:
                self.instance = ingest(data["file"].read(), data["file"].name, embed=False)
                embed_knowledge.delay_on_commit()
            except BadInput as error:
                self.add_error("file", forms.ValidationError(error.message, code=error.code))
        return data

    def _post_clean(self) -> None:
        """The document is stored already; there are no fields to take over into it."""
