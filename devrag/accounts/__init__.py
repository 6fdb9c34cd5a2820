"""How people get an account and sign in: OpenID Connect, links, second factors."""
