"""When a page, a section or a translation need not be written again.

What a writer would be given is reduced to keys in which the numbers and lines of the
evidence do not count (`keys`, `fingerprint`). The record of a published page has the
keys of each of its sections. In the next run:

* a page with the same fingerprint is taken over as it is (`pages`);
* a section with the same keys keeps its text (`sections`), unless what it says is known
  to hold no more (`invalidation`);
* a section that would be given something new is revised, not written anew (`revision`);
* what search brings to a page changes only when it clearly brings better
  (`stable_retrieval`), and each place goes to one section (`shares`), so that a changed
  line reaches one section;
* a translated line whose original did not change is taken over (`translations`).

`report` says which of this happened to each page, and `versions` whether a run led to
anything that readers do not have already.
"""
