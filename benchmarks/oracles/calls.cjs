// Prints which function each call of a TypeScript folder means, one JSON object a line:
//   node calls.cjs ROOT FOLDER
const ts = require('typescript');
const path = require('node:path');
const fs = require('node:fs');

const root = fs.realpathSync(process.argv[2]);
const files = ts.sys
  .readDirectory(path.join(root, process.argv[3]), ['.ts', '.tsx'])
  .filter((file) => !file.endsWith('.d.ts'));
const program = ts.createProgram(files, {
  allowJs: false,
  noEmit: true,
  strict: true,
  experimentalDecorators: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.Preserve,
});
const checker = program.getTypeChecker();

function place(node) {
  const file = node.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return [path.relative(root, file.fileName), line];
}

// A property that holds a function made elsewhere is no definition of one.
function isCallable(target) {
  if (ts.isFunctionLike(target) || ts.isClassLike(target)) return true;
  const holds = ts.isVariableDeclaration(target) || ts.isPropertyDeclaration(target);
  const value = holds ? target.initializer : undefined;
  return !!value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

function meant(call) {
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression;
  if (!ts.isIdentifier(name)) return;
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declared = symbol?.declarations ?? [];
  // Of overloads the last one has the body.
  const target = declared[declared.length - 1];
  if (!target || !isCallable(target)) return;
  const [to, line] = place(target);
  if (to.startsWith('..') || to.includes('node_modules')) return;
  return { name: name.text, target: `${to}:${line}` };
}

function visit(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const found = meant(node);
    const [from, line] = place(node.expression);
    if (found) console.log(JSON.stringify({ path: from, line, ...found }));
  }
  ts.forEachChild(node, visit);
}

for (const file of program.getSourceFiles()) {
  if (files.includes(file.fileName)) visit(file);
}
