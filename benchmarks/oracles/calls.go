// Prints which function each call of a Go module means, one JSON object a line.
//
//	go run calls.go FOLDER
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	fset    = token.NewFileSet()
	std     = importer.ForCompiler(fset, "source", nil)
	loaded  = map[string]*types.Package{}
	infos   = map[string]*types.Info{}
	parsed  = map[string][]*ast.File{}
	root    string
	modPath string
)

type modules struct{}

// Import reads packages of the module itself and of the standard library; others stay
// unknown, and what depends on them is left out.
func (modules) Import(path string) (*types.Package, error) {
	if path == modPath || strings.HasPrefix(path, modPath+"/") {
		return load(strings.TrimPrefix(strings.TrimPrefix(path, modPath), "/"))
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return nil, fmt.Errorf("not here: %s", path)
	}
	return std.Import(path)
}

func load(folder string) (*types.Package, error) {
	if found, ok := loaded[folder]; ok {
		return found, nil
	}
	packages, err := parser.ParseDir(fset, filepath.Join(root, folder), func(info fs.FileInfo) bool {
		return !strings.HasSuffix(info.Name(), "_test.go")
	}, 0)
	if err != nil || len(packages) == 0 {
		return nil, fmt.Errorf("nothing in %s", folder)
	}
	var files []*ast.File
	for _, each := range packages {
		for _, file := range each.Files {
			files = append(files, file)
		}
		break
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: modules{}, Error: func(error) {}}
	found, _ := config.Check(folder, fset, files, info)
	loaded[folder], infos[folder], parsed[folder] = found, info, files
	return found, nil
}

func place(position token.Pos) (string, int) {
	at := fset.Position(position)
	path, err := filepath.Rel(root, at.Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return "", 0
	}
	return path, at.Line
}

func named(call *ast.CallExpr) *ast.Ident {
	switch called := call.Fun.(type) {
	case *ast.Ident:
		return called
	case *ast.SelectorExpr:
		return called.Sel
	}
	return nil
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	modPath = string(regexp.MustCompile(`(?m)^module (\S+)`).FindSubmatch(text)[1])
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			folder, _ := filepath.Rel(root, path)
			load(strings.TrimPrefix(folder, "."))
		}
		return nil
	})
	out := json.NewEncoder(os.Stdout)
	for folder, files := range parsed {
		for _, file := range files {
			ast.Inspect(file, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || named(call) == nil {
					return true
				}
				name := named(call)
				meant, ok := infos[folder].Uses[name].(*types.Func)
				if !ok {
					return true
				}
				path, line := place(call.Fun.Pos())
				target, targetLine := place(meant.Pos())
				if target != "" {
					out.Encode(map[string]any{
						"path": path, "line": line, "name": name.Name,
						"target": fmt.Sprintf("%s:%d", target, targetLine),
					})
				}
				return true
			})
		}
	}
}
