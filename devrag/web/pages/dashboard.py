"""The dashboard: every visible product as a card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet, Sum
from django.utils.translation import get_language

from devrag.core.page_urls import product_url, wiki_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import may_add_products, may_maintain
from devrag.sources.models import File, GitRef, Source
from devrag.use_cases.api import holds_demo_only
from devrag.web.pages.allowed_locations import (
    AllowedLocations,
    get_allowed_locations,
)
from devrag.web.pages.first_run import (
    FirstRun,
    find_failed_start,
    find_first_run,
)
from devrag.web.pages.freshness import Freshness, sum_up_wiki
from devrag.web.pages.home_example import HomeExample, find_home_example
from devrag.web.pages.jobs import JobRow, list_open_jobs, list_poll_seconds
from devrag.web.pages.languages import LanguageShare, share_languages
from devrag.web.pages.start_example import StartExample, get_start_example
from devrag.wiki.api import (
    SourceVersion,
    describe_products,
    known_stale_pages,
    versions_by_product,
)
from devrag.wiki.models import Wiki

_SHOWN_JOBS = 2


@dataclass(frozen=True, slots=True)
class ProductCard:
    """What a product is, how big, how fresh, and what runs for it.

    description: its own, else what its wiki begins with.
    """

    name: str
    title: str
    description: str
    url: str
    source_count: int
    file_count: int
    chunk_count: int
    line_count: int
    languages: tuple[LanguageShare, ...]
    indexed_at: datetime | None
    wiki_url: str
    wiki_at: datetime | None
    freshness: Freshness | None
    jobs: tuple[JobRow, ...]

    @property
    def shown_jobs(self) -> tuple[JobRow, ...]:
        """What runs, then what waits, as far as there is room on a card."""
        running_first = sorted(self.jobs, key=lambda job: job.state != "running")
        return tuple(running_first[:_SHOWN_JOBS])

    @property
    def more_jobs(self) -> int:
        return len(self.jobs) - len(self.shown_jobs)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """first: the first repository on its way; failed_start: why there is none.

    allowed: what may be added, None for who is signed in and must ask somebody else.
    removable_demo: the name of the demo's product for who may delete it. sentence: what
    visitors see of a wiki, None where none has one to show.
    """

    cards: tuple[ProductCard, ...]
    allowed: AllowedLocations | None
    first: FirstRun | None = None
    failed_start: str = ""
    removable_demo: str = ""
    sentence: HomeExample | None = None

    @property
    def may_add(self) -> bool:
        return self.allowed is not None

    @property
    def example(self) -> StartExample:
        """Return what an instance without products shows."""
        return get_start_example()

    @property
    def poll_seconds(self) -> int:
        return list_poll_seconds(job for card in self.cards for job in card.jobs)


def get_dashboard(principal: Principal) -> Dashboard:
    """Return the dashboard. Queries: 7, whatever the number of products.

    An instance with one product at most asks more, to lead on; so does whoever may not
    create products.
    """
    products = list(Product.objects.visible_to(principal))
    facts = gather(products, principal)
    jobs: dict[str, list[JobRow]] = defaultdict(list)
    for line in list_open_jobs(principal):
        jobs[line.product].append(line)
    cards = tuple(
        to_card(product, facts, tuple(jobs[product.name])) for product in products
    )
    # Whoever is not signed in is asked to when it is sent.
    may_add = principal.user_id is None or _may_add(principal)
    allowed = get_allowed_locations(principal) if may_add else None
    if not cards:
        return Dashboard(cards, allowed, failed_start=find_failed_start(principal))
    if principal.user_id is None:
        sentence = find_home_example(products, facts.wikis)
        if len(cards) > 1 or sentence:
            return Dashboard(cards, allowed, sentence=sentence)
    demo = _find_removable_demo(products, facts, principal)
    if len(cards) > 1:
        return Dashboard(cards, allowed, removable_demo=demo)
    has_wiki = cards[0].wiki_at is not None
    first = find_first_run(principal, products[0], has_wiki=has_wiki)
    return Dashboard(cards, allowed, first, removable_demo=demo)


def _find_removable_demo(
    products: Iterable[Product], facts: ProductFacts, principal: Principal
) -> str:
    for product in products:
        if holds_demo_only(facts.sources[product.pk]):
            return product.name if may_maintain(principal, product) else ""
    return ""


def _may_add(principal: Principal) -> bool:
    """Return whether there is any product that the caller may add a repository to."""
    own = Product.objects.maintained_by(principal)
    return may_add_products(principal) or own.exists()


@dataclass(frozen=True, slots=True)
class ProductFacts:
    """Rows of several products, by product id. leads: what their wikis say they are."""

    sources: dict[int, list[Source]]
    refs: dict[int, list[GitRef]]
    languages: dict[int, dict[str, int]]
    wikis: dict[int, Wiki]
    versions: dict[int, list[SourceVersion]]
    leads: dict[int, str]


def gather(products: Iterable[Product], principal: Principal) -> ProductFacts:
    """Read what cards of products show to a reader. Queries: 4, 6 with wikis."""
    wanted = list(products)
    facts = ProductFacts(
        defaultdict(list), defaultdict(list), defaultdict(dict), {}, {}, {}
    )
    visible = Source.objects.within_limits(principal).filter(product__in=wanted)
    for source in visible:
        facts.sources[source.product_id].append(source)
    refs = GitRef.objects.filter(source__in=visible.values("pk"), is_current=True)
    for ref in refs.select_related("source", "snapshot"):
        facts.refs[ref.source.product_id].append(ref)
    for product_id, language, lines in count_lines(visible):
        facts.languages[product_id][language] = lines
    wikis = Wiki.objects.filter(product__in=wanted, current__isnull=False)
    own = get_language()  # where a wiki has the reader's, that one is opened
    for wiki in sorted(
        wikis.select_related("current"), key=lambda w: w.language != own
    ):
        facts.wikis.setdefault(wiki.product_id, wiki)
    if facts.wikis:
        facts.versions.update(versions_by_product(list(facts.wikis)))
        current = {each.current_id or 0: pk for pk, each in facts.wikis.items()}
        leads = describe_products(current)
        facts.leads.update({current[version]: text for version, text in leads.items()})
    return facts


def count_lines(sources: QuerySet[Source]) -> Iterable[tuple[int, str, int]]:
    """Return lines per product and language of the sources' current manifests."""
    current = File.objects.filter(
        source__in=sources.order_by().values("pk"),
        manifests__until=None,
        manifests__ref__is_current=True,
    )
    return (
        current.order_by()
        .values_list("source__product", "language")
        .annotate(total=Sum("lines"))
    )


def _freshness(
    wiki: Wiki | None, versions: Sequence[SourceVersion]
) -> Freshness | None:
    version = wiki.current if wiki else None
    if version is None:
        return None
    stale = known_stale_pages(version.pk, versions)
    return sum_up_wiki(version.sources, versions, stale)


def to_card(
    product: Product, facts: ProductFacts, jobs: tuple[JobRow, ...]
) -> ProductCard:
    """Join one product with its facts."""
    refs = facts.refs[product.pk]
    snapshots = [ref.snapshot for ref in refs if ref.snapshot]
    wiki = facts.wikis.get(product.pk)
    version = wiki.current if wiki else None
    return ProductCard(
        name=product.name,
        title=str(product),
        description=product.description or facts.leads.get(product.pk, ""),
        url=product_url(product.name),
        source_count=len(facts.sources[product.pk]),
        file_count=sum(snapshot.file_count for snapshot in snapshots),
        chunk_count=sum(snapshot.chunk_count for snapshot in snapshots),
        line_count=sum(snapshot.line_count for snapshot in snapshots),
        languages=share_languages(facts.languages[product.pk]),
        indexed_at=max(
            (each.indexed_at for each in snapshots if each.indexed_at), default=None
        ),
        wiki_url=wiki_url(product.name),
        wiki_at=version.created_at if version else None,
        freshness=_freshness(wiki, facts.versions.get(product.pk, [])),
        jobs=jobs,
    )
