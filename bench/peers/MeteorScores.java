// METEOR 1.5 by its own Java classes, run from source: java -cp [DATA:]meteor-1.5.jar MeteorScores.java TABLE MODE
//
// TABLE is the paraphrase table (a path) or "none". Every line of stdin holds base64 texts, candidate first, then its
// references. MODE scores: the score of every line to stdout, to full precision; words: the candidate as METEOR
// normalises it. The last line of stdout is {"seconds", "rows"} of the work alone: reading the data is not in it.
import edu.cmu.meteor.scorer.MeteorConfiguration;
import edu.cmu.meteor.scorer.MeteorScorer;
import edu.cmu.meteor.util.Constants;
import edu.cmu.meteor.util.Normalizer;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

public class MeteorScores {
    static List<ArrayList<String>> readRows() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        List<ArrayList<String>> rows = new ArrayList<>();
        for (String line; (line = in.readLine()) != null; ) {
            ArrayList<String> texts = new ArrayList<>();
            for (String text : line.split(" ", -1)) {
                texts.add(new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
            }
            rows.add(texts);
        }
        return rows;
    }

    static MeteorScorer makeScorer(String table) throws Exception {
        MeteorConfiguration configuration = new MeteorConfiguration();
        configuration.setLanguage("en");
        configuration.setNormalization(Constants.NORMALIZE_KEEP_PUNCT);  // -norm
        if (table.equals("none")) {
            configuration.setModulesByName(new ArrayList<>(Arrays.asList("exact", "stem", "synonym")));
            configuration.setModuleWeights(new ArrayList<>(Arrays.asList(1.0, 0.6, 0.8)));
        } else {
            configuration.setParaFileURL(new File(table).toURI().toURL());
        }
        return new MeteorScorer(configuration);
    }

    public static void main(String[] arguments) throws Exception {
        List<ArrayList<String>> rows = readRows();
        StringBuilder results = new StringBuilder();
        boolean words = arguments[1].equals("words");
        MeteorScorer scorer = words ? null : makeScorer(arguments[0]);
        long start = System.nanoTime();
        for (ArrayList<String> row : rows) {
            if (words) {
                results.append(Normalizer.normalizeLine(row.get(0), Constants.LANG_EN, true).toLowerCase());
            } else {
                ArrayList<String> references = new ArrayList<>(row.subList(1, row.size()));
                results.append(scorer.getMeteorStats(row.get(0), references).score);
            }
            results.append('\n');
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        results.append("{\"seconds\": ").append(seconds).append(", \"rows\": ").append(rows.size()).append("}\n");
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        out.print(results);
        out.flush();
    }
}
