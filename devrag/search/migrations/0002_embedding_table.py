"""The partitioned embedding table, which Django cannot declare."""

from __future__ import annotations

from django.db import migrations
from pgvector.django import VectorExtension

CREATE = """
CREATE TABLE search_embedding (
    spec_id bigint NOT NULL
        REFERENCES search_embeddingspec (id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED,
    chunk_id bigint NOT NULL
        REFERENCES sources_chunk (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    source_id bigint NOT NULL
        REFERENCES sources (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    text_hash varchar(64) NOT NULL,
    is_live boolean NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (spec_id, chunk_id)
) PARTITION BY LIST (spec_id);
CREATE INDEX search_embedding_text_hash ON search_embedding (spec_id, text_hash);
CREATE INDEX search_embedding_chunk ON search_embedding (chunk_id);
CREATE INDEX search_embedding_source ON search_embedding (source_id);
"""


class Migration(migrations.Migration):
    dependencies = [("search", "0001_initial"), ("sources", "0001_initial")]

    operations = [
        VectorExtension(),
        migrations.RunSQL(CREATE, "DROP TABLE search_embedding"),
    ]
