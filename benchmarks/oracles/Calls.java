import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.tools.ToolProvider;

/** Prints which method each call means, one JSON object a line: java Calls.java ROOT FOLDER. */
public class Calls {
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]).toRealPath();
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(problem -> {}, null, null);
    List<Path> paths;
    try (Stream<Path> all = Files.walk(root.resolve(arguments[1]))) {
      paths = all.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).sorted().toList();
    }
    var options = List.of("-proc:none", "-Xmaxerrs", "100000");
    var task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, problem -> {}, options, null, manager.getJavaFileObjectsFromPaths(paths));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    Trees trees = Trees.instance(task);
    var out = new PrintWriter(System.out, true);
    for (CompilationUnitTree unit : units) {
      new TreePathScanner<Void, Void>() {
        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
          print(call);
          return super.visitMethodInvocation(call, nothing);
        }

        private void print(MethodInvocationTree call) {
          ExpressionTree called = call.getMethodSelect();
          Element meant = trees.getElement(new TreePath(getCurrentPath(), called));
          TreePath declared = meant == null ? null : trees.getPath(meant);
          if (declared == null || meant.getKind() != ElementKind.METHOD) return;
          String name = called instanceof MemberSelectTree select ? select.getIdentifier().toString() : called.toString();
          out.printf("{\"path\": \"%s\", \"line\": %d, \"name\": \"%s\", \"target\": \"%s:%d\"}%n",
              path(unit), line(unit, trees.getSourcePositions().getStartPosition(unit, call)), name,
              path(declared.getCompilationUnit()),
              line(declared.getCompilationUnit(), trees.getSourcePositions().getEndPosition(declared.getCompilationUnit(), declared.getLeaf())));
        }

        private String path(CompilationUnitTree in) {
          return root.relativize(Path.of(in.getSourceFile().toUri())).toString();
        }

        private long line(CompilationUnitTree in, long position) {
          return in.getLineMap().getLineNumber(position);
        }
      }.scan(unit, null);
    }
  }
}
