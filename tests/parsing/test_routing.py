from __future__ import annotations

import pytest

from .cases import facts_of

_GIN = """package a
import "github.com/gin-gonic/gin"
func f(r *gin.Engine) {
	r.GET("/ping", ping)
	v1 := r.Group("/v1", auth)
	v1.POST("/users/:id", limit, h.Create)
	deep := v1.Group("x")
	deep.GET("", h.X)
	r.Handle(http.MethodPut, "/z", func(c *gin.Context) {})
	cache.GET("key", x)
}
"""
_CHI = """package a
import ("net/http"; "github.com/go-chi/chi/v5")
func f() {
	r.Route("/articles", func(r chi.Router) {
		r.Get("/", list)
		r.Route("/{id}", func(r chi.Router) { r.Put("/", update) })
	})
	r.Method("DELETE", "/z", z)
	http.Get("/x")
}
"""
_NET = """package a
import "net/http"
func f() { http.HandleFunc("/a/", A); mux.Handle("POST shop.org/b/{id}", b); g("/c") }
"""
_GORILLA = """package a
import "github.com/gorilla/mux"
func f() {
	r.HandleFunc("/a", A).Methods("GET")
	r.HandleFunc("/b", B).Methods(http.MethodPost)
}
"""
_EXPRESS = """
const express = require("express")
app.get("/x", auth, list)
app.get("title")
app.use("/y", router)
router.route("/books/:id").get(show).post(books.create)
axios.get("/z", options)
app.all("*", (req, res) => {})
"""
_FASTIFY = 'import Fastify from "fastify"\nfastify.post("/a", { schema }, save)\n'
_NEST = """
import { Controller, Get, Post } from "@nestjs/common"
@Controller("cats")
export class Cats {
  @Get(":id") one(@Param("id") id: string) {}
  @Post() create() {}
  helper() {}
}
class Other { @Get("x") a() {} }
"""
_SPRING = """
import org.springframework.web.bind.annotation.*;
@RequestMapping("/owners")
class A {
  @GetMapping("/{id}") String one() {}
  @PostMapping String add() {}
  @RequestMapping(value = {"/a", "/b"}, method = RequestMethod.PUT) void put() {}
  @Cached("/c") void other() {}
}
"""
_KOTLIN = """
import org.springframework.web.bind.annotation.GetMapping

@RestController
@RequestMapping("/k")
class K(val r: R) {
  @GetMapping("/x")
  fun x() {}
}
"""
_JAX = """
import jakarta.ws.rs.*;
@Path("/c") class C { @GET @Path("{id}") String x() {} @POST String y() {} void z() {} }
"""
_ASPNET = """
using Microsoft.AspNetCore.Mvc;
[ApiController, Route("api/[controller]")]
public class CatsController : ControllerBase {
  [HttpGet("{id}")] public Cat Get(int id) {}
  [HttpPut, Route("all")] public Cat Put() {}
}
"""
_MINIMAL = """
var app = WebApplication.CreateBuilder(args).Build();
app.MapGet("/x", List);
var group = app.MapGroup("/g");
group.MapPost("/{id}", Save);
"""
_AXUM = """
use axum::{routing::{get, delete}, Router};
fn app() -> Router {
    Router::new()
        .route("/users/{id}", get(show).post(api::create))
        .nest("/api", Router::new().route("/x", delete(|| async {})))
        .layer(trace)
}
"""
_ACTIX = 'use actix_web::get;\n#[get("/x/{id}")]\nasync fn one() {}\n'
_LARAVEL = """<?php
Route::get("/", [HomeController::class, "index"]);
Route::post("x", "Shop\\\\Cart@add")->name("x");
Route::prefix("admin")->middleware("a")->group(function () {
    Route::get("users", UserController::class);
    Route::group(["prefix" => "deep"], function () { Route::put("/m", fn() => 1); });
});
Route::resource("photos", PhotoController::class);
"""
_SYMFONY = """<?php
use Symfony\\Component\\Routing\\Attribute\\Route;
#[Route("/blog")] class B { #[Route("/{id}", methods: ["GET"])] function show() {} }
"""
_RAILS = """
Rails.application.routes.draw do
  root to: "home#index", as: :start
  get "/about" => "pages#about", :as => "x"
  match "m", to: "x#y", via: [:get, :post]
  resources :photos, only: %i[index show] do
    get :preview, on: :member
    member { post "like" }
    collection { get :search }
    resources :comments
  end
  namespace :admin do
    get "stats", to: "site_stats#show"
  end
  scope "/v1", module: "api" do
    resource :profile
  end
  get "/old", to: redirect("/new")
end
"""
_PHOENIX = """
defmodule ShopWeb.Router do
  use ShopWeb, :router
  scope "/", ShopWeb do
    get "/", PageController, :home
    live "/l", CartLive
    scope "/api" do
      resources "/users", UserController, only: [:index]
    end
  end
end
"""

_DJANGO = """from django.urls import include, path, re_path
steps = [path("start", views.ping), path("fail", views.fail)]
urlpatterns = [
    path("ping/<uuid:code>/", include((steps, "steps"))),
    path("x/", include([path("y", views.y)])),
    re_path("^z$", views.z),
]
"""
_PREFIXED = """from {package} import {router}
users = {router}({argument}="/users/")
plain = {router}()
@users.get("/<id>")
def show(): ...
@plain.get("/plain")
def other(): ...
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.go",
            _GIN,
            {
                "GET /ping": "ping",
                "POST /v1/users/:id": "h.Create",
                "GET /v1/x": "h.X",
                "PUT /z": "",
            },
        ),
        (
            "a.go",
            _CHI,
            {"GET /articles": "list", "PUT /articles/{id}": "update", "DELETE /z": "z"},
        ),
        ("a.go", _NET, {"/a/": "A", "POST /b/{id}": "b"}),
        ("a.go", _GORILLA, {"GET /a": "A", "POST /b": "B"}),
        (
            "a.js",
            _EXPRESS,
            {
                "GET /x": "list",
                "GET /books/:id": "show",
                "POST /books/:id": "books.create",
                "*": "",
            },
        ),
        ("a.ts", _FASTIFY, {"POST /a": "save"}),
        ("a.ts", _NEST, {"GET /cats/:id": "Cats.one", "POST /cats": "Cats.create"}),
        (
            "A.java",
            _SPRING,
            {
                "GET /owners/{id}": "A.one",
                "POST /owners": "A.add",
                "PUT /owners/a": "A.put",
                "PUT /owners/b": "A.put",
            },
        ),
        ("K.kt", _KOTLIN, {"GET /k/x": "K.x"}),
        ("C.java", _JAX, {"GET /c/{id}": "C.x", "POST /c": "C.y"}),
        (
            "C.cs",
            _ASPNET,
            {
                "GET /api/Cats/{id}": "CatsController.Get",
                "PUT /api/Cats/all": "CatsController.Put",
            },
        ),
        ("Program.cs", _MINIMAL, {"GET /x": "List", "POST /g/{id}": "Save"}),
        (
            "a.rs",
            _AXUM,
            {
                "GET /users/{id}": "show",
                "POST /users/{id}": "api.create",
                "DELETE /api/x": "",
            },
        ),
        ("a.rs", _ACTIX, {"GET /x/{id}": "one"}),
        (
            "routes/web.php",
            _LARAVEL,
            {
                "GET /": "HomeController.index",
                "POST /x": "Shop.Cart.add",
                "GET /admin/users": "UserController",
                "PUT /admin/deep/m": "",
                "/photos": "PhotoController",
            },
        ),
        ("b.php", _SYMFONY, {"GET /blog/{id}": "B.show"}),
        (
            "config/routes.rb",
            _RAILS,
            {
                "GET /": "HomeController.index",
                "GET /about": "PagesController.about",
                "GET, POST /m": "XController.y",
                "/photos": "PhotosController",
                "GET /photos/:id/preview": "PhotosController.preview",
                "POST /photos/:id/like": "PhotosController.like",
                "GET /photos/search": "PhotosController.search",
                "/photos/:photo_id/comments": "CommentsController",
                "GET /admin/stats": "Admin.SiteStatsController.show",
                "/v1/profile": "Api.ProfilesController",
                "GET /old": "",
            },
        ),
        (
            "shop/urls.py",
            _DJANGO,
            {
                "ping/<uuid:code>/start": "views.ping",
                "ping/<uuid:code>/fail": "views.fail",
                "x/y": "views.y",
                "^z$": "views.z",
            },
        ),
        *(
            (
                "a.py",
                _PREFIXED.format(package=package, router=router, argument=argument),
                {"GET /users/<id>": "show", "GET /plain": "other"},
            )
            for package, router, argument in (
                ("fastapi", "APIRouter", "prefix"),
                ("flask", "Blueprint", "url_prefix"),
            )
        ),
        (
            "lib/shop_web/router.ex",
            _PHOENIX,
            {
                "GET /": "ShopWeb.PageController.home",
                "GET /l": "ShopWeb.CartLive",
                "/api/users": "ShopWeb.UserController",
            },
        ),
    ],
)
def test_routes(path: str, text: str, expected: dict[str, str]) -> None:
    assert facts_of("route", path, text, "handler") == expected


@pytest.mark.parametrize(
    ("mounts", "expected"),
    [
        ('app.include_router(r, prefix="/v1")', {"GET /v1/a/x": "x"}),
        (
            'app.include_router(r)\napp.include_router(r, prefix="/v2")',
            {"GET /a/x": "x", "GET /v2/a/x": "x"},
        ),
        ("app.include_router(r, prefix=VERSION)", {}),
    ],
)
def test_a_router_is_where_it_is_mounted(mounts: str, expected: dict[str, str]) -> None:
    text = (
        "from fastapi import APIRouter, FastAPI\n\nVERSION = read()\n"
        'app = FastAPI()\nr = APIRouter(prefix="/a")\n\n'
        '@r.get("/x")\ndef x(): ...\n\n' + mounts + "\n"
    )
    assert facts_of("route", "a.py", text, "handler") == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('summary="Show a book"', "Show a book"),
        ('description="""\n  Books.\n\n  By title.\n  """', "Books.\n\nBy title."),
        ('summary="Show a book", description="At length."', "Show a book"),
        ("summary=TEXT", ""),
        ("status_code=204", ""),
    ],
)
def test_a_route_is_described_by_its_decorator(given: str, said: str) -> None:
    text = f'from fastapi import FastAPI\n\n@app.get("/x", {given})\ndef x(): ...\n'
    assert facts_of("route", "a.py", text, "help") == {"GET /x": said}


def test_a_router_below_a_computed_path_says_nothing() -> None:
    text = (
        "from flask import Blueprint\n\nr = Blueprint('r', url_prefix=where())\n\n"
        '@r.get("/x")\ndef x(): ...\n'
    )
    assert facts_of("route", "a.py", text) == {}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", 'package a\nfunc f() { r.GET("/ping", ping) }\n'),
        ("a.js", 'app.get("/x", list)\n'),
        ("a.js", 'import express from "express"\nclient.get("/x", list)\n'),
        ("a.ts", '@Controller("cats") class Cats { @Get(":id") one() {} }\n'),
        ("A.java", 'class A { @GetMapping("/x") String x() {} }\n'),
        ("a.cs", 'class A { [HttpGet("x")] void X() {} }\napp.MapGet("/x", List);\n'),
        ("a.rs", 'fn f() { x.route("/", get(root)) }\n#[get("/x")]\nfn g() {}\n'),
        ("a.php", '<?php Route::get("/", "x"); #[Route("/y")] function y() {}\n'),
        ("lib/x.rb", 'get "/x", to: "a#b"\nresources :y\n'),
        ("lib/x.ex", 'defmodule X do\n  get "/", PageController, :home\nend\n'),
    ],
)
def test_routes_need_their_framework(path: str, text: str) -> None:
    assert facts_of("route", path, text) == {}


def test_resources_say_their_actions() -> None:
    text = "resources :a, except: [:destroy, :new, :edit]\nresource :b, only: :show\n"
    found = facts_of("route", "config/routes.rb", text, "actions")
    assert found == {"/a": ["index", "create", "show", "update"], "/b": ["show"]}


def test_groups_upon_groups_take_bounded_time() -> None:
    groups = 'g = g.Group("/abcdefghij")\n' * 5_000
    text = (
        f'import "github.com/gin-gonic/gin"\nfunc f() {{\n{groups}g.GET("/x", h)\n}}\n'
    )
    assert len(facts_of("route", "a.go", f"package a\n{text}")) == 1


@pytest.mark.parametrize(
    "mounted",
    [
        'path("api/", include("shop.urls"))',
        'path("api/", view=urls.include("shop.urls", namespace="api"))',
        're_path("^api/", include("shop.urls"))',
        'url(r"^api/", include(("shop.urls", "api")))',
        'path("api/", include(router.urls))',
        'path("api/", api.urls)',
        'path("api/", include([]))',
    ],
)
def test_where_patterns_of_elsewhere_are_mounted_is_no_route(mounted: str) -> None:
    text = (
        "from django import urls\nfrom django.conf.urls import url\n"
        "from django.urls import include, path, re_path\n"
        f'urlpatterns = [path("admin/", admin.site.urls), {mounted}]\n'
    )
    assert facts_of("route", "urls.py", text, "handler") == {
        "admin/": "admin.site.urls"
    }
