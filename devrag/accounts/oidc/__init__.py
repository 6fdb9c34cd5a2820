"""Sign-in by OpenID Connect: the authorization code flow with PKCE.

configuration   what the settings say
group_grants    the provider's groups → administrator, roles in products
provider        its metadata, keys and token endpoint, over HTTP
http            the client below it: checked addresses, bounded answers
id_token        what an ID token must be
claims          what it says of a person
flow            the two halves of a sign-in: to the provider and back
identities      whose account that is: known, linked or new
memberships     roles that follow the groups
"""
